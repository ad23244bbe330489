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
      const pair = /^\\u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})/.exec(rest)
      const unicode = /^\\u\{([0-9a-fA-F]+)\}|^\\u([0-9a-fA-F]{4})/.exec(rest)
      const property = /^\\([pP])\{(?:(?:Script|sc|General_Category|gc)=)(\w+)\}/.exec(rest)
      const control = /^\\c([A-Za-z])/.exec(rest)
      if (pair) {
        const text = String.fromCharCode(parseInt(pair[1]!, 16), parseInt(pair[2]!, 16))
        out += `\\x{${text.codePointAt(0)!.toString(16)}}`
        i += pair[0].length - 1
      } else if (property) {
        out += `\\${property[1]}{${property[2]}}`
        i += property[0].length - 1
      } else if (unicode) {
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
        else if (next === 'S') out += inClass ? NO_WIDE_SPACE : `[^${WIDE_SPACE}]`
        else if (next === 'b' && inClass) out += '\\x{8}'
        else if (next === '0') out += '\\x{0}'
        else out += `\\${next}`
      }
    } else if (c === '(' && !inClass && /^\(\?<[A-Za-z_]/.test(pattern.slice(i))) {
      out += '(?P<'
      i += 2
    } else if (c === '.' && !inClass) {
      // ECMAScript knows more line ends
      out += '[^\\n\\r\\x{2028}\\x{2029}]'
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

/** The characters that are not in `WIDE_SPACE`: RE2 has no class within a class. */
const NO_WIDE_SPACE =
  '\\x{0}-\\x{8}\\x{e}-\\x{1f}\\x{21}-\\x{9f}\\x{a1}-\\x{167f}\\x{1681}-\\x{1fff}\\x{200b}-\\x{2027}\\x{202a}-\\x{202e}\\x{2030}-\\x{205e}\\x{2060}-\\x{2fff}\\x{3001}-\\x{fefe}\\x{ff00}-\\x{10ffff}'
