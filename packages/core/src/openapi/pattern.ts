/**
 * A pattern that every 2020-12 validator can compile (they read patterns with the `u` flag), or undefined where there is
 * none. Many documents escape letters that need no escape, which only the older syntax allows.
 */
export function unicodePattern(pattern: string): string | undefined {
  if (compiles(pattern)) return pattern
  const mended = withoutNeedlessEscapes(pattern)
  return compiles(mended) ? mended : undefined
}

/** Is a pattern free of what no engine matches in linear time: lookahead, lookbehind and back references? */
export function hasLinearForm(pattern: string): boolean {
  // Escaped characters and classes hold none of it.
  const bare = pattern
    .replace(/\\[1-9]|\\k</g, '\0')
    .replace(/\\[^]/g, '')
    .replace(/\[[^\]]*\]/g, '')
  return !/\0|\(\?(<?[=!])/.test(bare)
}

function compiles(pattern: string): boolean {
  try {
    new RegExp(pattern, 'u')
    return true
  } catch {
    return false
  }
}

const SYNTAX = '^$\\.*+?()[]{}|/'

function withoutNeedlessEscapes(pattern: string): string {
  let out = ''
  let inClass = false
  for (let i = 0; i < pattern.length; i++) {
    const c = pattern[i]!
    if (c === '\\') {
      const next = pattern[++i] ?? ''
      const needed = /[a-z0-9]/i.test(next) || SYNTAX.includes(next) || (inClass && next === '-')
      out += needed || next === '' ? c + next : next
      // `[\w-.]`: a range cannot start at a class of letters
      if (inClass && /[dDwWsS]/.test(next) && pattern[i + 1] === '-' && pattern[i + 2] !== ']') {
        out += '\\-'
        i++
      }
    } else if (
      c === '-' &&
      inClass &&
      pattern[i + 1] === '\\' &&
      /[dDwWsS]/.test(pattern[i + 2] ?? '') &&
      pattern[i - 1] !== '['
    ) {
      out += '\\-'
    } else {
      if (c === '[') inClass = true
      if (c === ']') inClass = false
      out += !inClass && (c === '{' || c === '}') && !isQuantifier(pattern, i) ? `\\${c}` : c
    }
  }
  return out
}

function isQuantifier(pattern: string, index: number): boolean {
  const start = pattern[index] === '{' ? index : pattern.lastIndexOf('{', index)
  if (start < 0) return false
  return /^\{\d+(,\d*)?\}/.test(pattern.slice(start)) || /^\\[pPu]$/.test(pattern.slice(Math.max(0, start - 2), start))
}
