import { isAbsolute, relative } from 'node:path'
import { Chalk, type ChalkInstance } from 'chalk'
import type { Io } from './io.js'

/** Colours where a terminal shows them and the user did not turn them off (https://no-color.org). */
export function painter(io: Io, wanted: boolean | undefined): ChalkInstance {
  const { NO_COLOR: none, FORCE_COLOR: forced, TERM: term } = io.env
  const byEnvironment = none
    ? false
    : forced !== undefined
      ? forced !== '0' && forced !== 'false'
      : io.isTerminal && term !== 'dumb'
  return new Chalk({ level: (wanted ?? byEnvironment) ? 1 : 0 })
}

/**
 * Text from a document, harmless to print: control characters, escape sequences, direction overrides and text that only a
 * model would see are shown as what they are.
 */
export function safeText(text: string): string {
  return text.toWellFormed().replace(/\r\n/g, '\n').replace(/\t/g, '  ').replace(UNSAFE, shown)
}

// Controls but the line feed, marks that nobody sees, what turns the direction of the text, and the tags and variation
// selectors that hide whole sentences. A flag is written with tags, too: the first alternative lets it pass.
const UNSAFE =
  /\u{1f3f4}[\u{e0030}-\u{e007a}]{1,8}\u{e007f}|(?!\n)[\p{Cc}\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e01ef}]/gu

/** The same on one line. */
export function safeLine(text: string): string {
  return safeText(text)
    .replace(/\s*\n\s*/g, ' ')
    .trim()
}

function shown(character: string): string {
  const code = character.codePointAt(0)!
  return code === 0x1f3f4 ? character : `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`
}

/** Columns to draw in; without a terminal nothing is wrapped. */
export function widthOf(io: Io): number {
  return io.isTerminal ? Math.max(40, Math.min(io.columns ?? 80, 140)) : Infinity
}

/** A path from the current folder, where that is shorter. Addresses stay as they are. */
export function relativeTo(cwd: string, path: string): string {
  if (!isAbsolute(path)) return path
  const short = relative(cwd, path)
  return short !== '' && short.length < path.length ? short : path
}

export function count(n: number, noun: string): string {
  // The first use of Intl costs more than the rest of a small lint.
  return `${n < 1000 ? n : n.toLocaleString('en')} ${noun}${n === 1 ? '' : 's'}`
}
