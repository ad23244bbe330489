/** JSON for a file or a terminal: what may act on a terminal or turn the direction of the text is written as an escape. */
export function jsonText(value: unknown, replacer?: (key: string, value: unknown) => unknown): string {
  return `${JSON.stringify(value, replacer, 2).replace(ACTIVE, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)}\n`
}

/** A replacer for readers that refuse halves of characters. */
export function wellFormed(_: string, value: unknown): unknown {
  return typeof value === 'string' ? value.toWellFormed() : value
}

// JSON.stringify escapes the C0 controls only.
const ACTIVE = /[\u007f-\u009f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g
