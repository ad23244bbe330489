import { RE2JS } from 're2js'

/**
 * Patterns of a document on a linear-time engine: no text can make them hang. Syntax that only ECMAScript has (lookaround,
 * back references) is refused by the engine; such a pattern is not checked, since a wrong refusal would be worse.
 */
export interface LinearPattern {
  test(text: string): boolean
}

const compiled = new Map<string, LinearPattern | undefined>()
const MOST_CACHED = 1000

/** The pattern ready to use, or undefined where it has no linear-time form. */
export function linearPattern(pattern: string): LinearPattern | undefined {
  if (compiled.has(pattern)) return compiled.get(pattern)
  if (compiled.size >= MOST_CACHED) compiled.clear()
  const result = compile(pattern)
  compiled.set(pattern, result)
  return result
}

/** Can the pattern be checked in linear time? */
export function isLinearPattern(pattern: string): boolean {
  return linearPattern(pattern) !== undefined
}

function compile(pattern: string): LinearPattern | undefined {
  try {
    const engine = RE2JS.compile(toRe2(pattern))
    return { test: (text) => engine.matcher(text).find() }
  } catch {
    return undefined
  }
}

/** ECMAScript syntax in the words of RE2, where they differ in spelling only. */
function toRe2(pattern: string): string {
  let out = ''
  let inClass = false
  for (let i = 0; i < pattern.length; i++) {
    const c = pattern[i]!
    if (c === '\\') {
      const rest = pattern.slice(i)
      const unicode = /^\\u\{([0-9a-fA-F]+)\}|^\\u([0-9a-fA-F]{4})/.exec(rest)
      const control = /^\\c([A-Za-z])/.exec(rest)
      if (unicode) {
        out += `\\x{${unicode[1] ?? unicode[2]}}`
        i += unicode[0].length - 1
      } else if (control) {
        out += `\\x{${(control[1]!.charCodeAt(0) % 32).toString(16)}}`
        i += 2
      } else {
        const next = pattern[++i] ?? ''
        // ECMAScript: \d and \w are ASCII as in RE2; \s is wider; \/ and \- are themselves
        if (next === '/') out += '/'
        else if (next === 's') out += inClass ? WIDE_SPACE : `[${WIDE_SPACE}]`
        else if (next === 'S' && !inClass) out += `[^${WIDE_SPACE}]`
        else if (next === '0') out += '\\x{0}'
        else out += `\\${next}`
      }
    } else if (c === '(' && !inClass && /^\(\?<[A-Za-z_]/.test(pattern.slice(i))) {
      out += '(?P<'
      i += 2
    } else {
      if (c === '[' && !inClass) {
        inClass = true
        // `[]` matches nothing and `[^]` everything; RE2 reads the bracket as a member
        if (pattern[i + 1] === ']') return `${out}[^\\x{0}-\\x{10FFFF}]${toRe2(pattern.slice(i + 2))}`
        if (pattern.startsWith('[^]', i)) return `${out}[\\x{0}-\\x{10FFFF}]${toRe2(pattern.slice(i + 3))}`
      } else if (c === '[' && inClass) {
        out += '\\['
        continue
      } else if (c === ']') inClass = false
      out += c
    }
  }
  return out
}

const WIDE_SPACE =
  '\\x{9}-\\x{d}\\x{20}\\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}'
