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
 * Text from a document, harmless to print: control characters, escape sequences and direction overrides are shown as what
 * they are instead of acting on the terminal.
 */
export function safeText(text: string): string {
  return text.toWellFormed().replace(/\r\n/g, '\n').replace(/\t/g, '  ').replace(UNSAFE, shown)
}

// Controls but the line feed, marks that nobody sees, and what turns the direction of the text
const UNSAFE = /(?!\n)[\p{Cc}\u061c\u200b\u200e\u200f\u202a-\u202e\u2028\u2029\u2066-\u2069\ufeff]/gu

/** The same on one line. */
export function safeLine(text: string): string {
  return safeText(text)
    .replace(/\s*\n\s*/g, ' ')
    .trim()
}

function shown(character: string): string {
  return `<U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}>`
}

/** Columns to draw in; without a terminal nothing is wrapped. */
export function widthOf(io: Io): number {
  return io.isTerminal ? Math.max(40, Math.min(io.columns ?? 80, 140)) : Infinity
}

/** A path as short as it can be from the current folder. */
export function relativeTo(cwd: string, path: string): string {
  return path.startsWith(`${cwd}/`) ? path.slice(cwd.length + 1) : path
}

export function count(n: number, noun: string): string {
  return `${n.toLocaleString('en')} ${noun}${n === 1 ? '' : 's'}`
}
