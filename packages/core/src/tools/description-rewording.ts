import type { TextEdit } from '../source/text.js'

/** A quoted run of a text: its words, and where it stands with its quotation marks. */
export interface Quoted {
  value: string
  start: number
  end: number
}

/** Quoted scalars as arrays. A list with commas in one pair of quotation marks becomes one array. */
export function asArrays(quoted: Quoted[]): TextEdit[] {
  return quoted.map(({ value, start, end }) => {
    const items = /^[^\s,]+(\s?,\s?[^\s,]+)+$/.test(value) ? value.split(/\s?,\s?/) : [value]
    return { start, end, text: `[${items.map((item) => JSON.stringify(item)).join(', ')}]` }
  })
}

/** Quoted values with others in their place, quotation marks kept. */
export function withOthers(quoted: Quoted[], others: ReadonlyMap<string, string>): TextEdit[] {
  return quoted.flatMap(({ value, start, end }) => {
    const other = others.get(value)
    return other === undefined ? [] : { start: start + 1, end: end - 1, text: other }
  })
}

const WHOLE = /^\s+(list|string|text|sequence|series|set)\b/i
const PARTS = /^\s+(?!(and|or|as|by|for|if|in|like|such|to|when|with)\b)[\p{L}\p{N}`]/iu
const END = /^\s*([.,;:!?)]|$)/
const CALLED_LIST = /\bliste?s?\b/i

/**
 * Words that promise a text with commas, such that they promise a list: `words` is where they stand. Undefined where no others
 * read well.
 */
export function asList(text: string, { start, end }: { start: number; end: number }): TextEdit | undefined {
  const before = text.slice(0, start)
  const behind = text.slice(end)
  const words = text.slice(start, end)
  if (/^comma/i.test(words)) {
    const list = words.startsWith('C') ? 'List' : 'list'
    const whole = WHOLE.exec(behind)
    if (whole) return { start, end: end + whole[0].length, text: list }
    if (PARTS.test(behind)) return { start, end, text: `${list} of` }
  }
  if (!END.test(behind) || before.trim() === '') return undefined
  const sentence = before.slice(before.search(/[^.;:!?]*$/))
  if (CALLED_LIST.test(sentence)) return withoutWords(before, behind, end)
  return /^sépar/i.test(words) ? undefined : { start, end, text: 'as a list' }
}

/** The words go, and with them what joins them to the text: a comma or brackets. */
function withoutWords(before: string, behind: string, end: number): TextEdit {
  const brackets = behind.startsWith(')') ? /\s*\($/.exec(before) : null
  if (brackets) return { start: brackets.index, end: end + 1, text: '' }
  return { start: before.search(/(\s*,)?\s*$/), end, text: '' }
}
