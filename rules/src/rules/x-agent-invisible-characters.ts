import { agentTexts } from '../agent-texts.js'
import { fixOf, placeOf, valueAt } from '../fix.js'
import { defineRule } from '../rule.js'

export default defineRule({
  id: 'x-agent-invisible-characters',
  category: 'safety',
  severity: 'warning',
  summary: 'Text for agents has no invisible characters and none that change its direction.',
  why: 'A model reads what no reviewer sees: such characters hide instructions in plain sight.',
  examples: {
    wrong: `operationId: readItem
x-agent: { description: "Read\\u202e one item." }
responses: { '200': { description: ok } }`,
    right: `operationId: readItem
x-agent: { description: Read one item. }
responses: { '200': { description: ok } }`
  },
  fix(finding, { document, editor }) {
    const path = placeOf(finding)
    const text = valueAt(document, path)
    if (typeof text !== 'string') return undefined
    const words = hiddenPlaces(text).map(({ start, character }) => ({ start, end: start + character.length, text: '' }))
    return fixOf('Take them out', document, editor(document).replaceInScalar(path, words))
  },
  check(context) {
    for (const { node, within, text } of agentTexts(context)) {
      const found = [...new Set(hiddenPlaces(text).map(({ character }) => character))]
      if (found.length === 0) continue
      context.report(node, {
        message: `this text contains ${found.map(nameOf).join(', ')}, which nobody sees`,
        ...(within.length > 0 && { within })
      })
    }
  }
})

const SUSPICIOUS =
  // eslint-disable-next-line no-control-regex, no-misleading-character-class -- controls are what is looked for
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff\ufff9-\ufffb\u{e0000}-\u{e0fff}]/gu

/** Characters that are not seen, without those that scripts and emoji need where they stand. */
function hiddenPlaces(text: string): { start: number; character: string }[] {
  if (/^[\x20-\x7e\t\r\n]*$/.test(text)) return []
  const isRightToLeft = /[\u0590-\u08ff\ufb1d-\ufefc]/.test(text)
  return Array.from(text.matchAll(SUSPICIOUS)).flatMap(({ 0: character, index }) => {
    const found = { start: index, character }
    const before = [...text.slice(Math.max(0, index - 2), index)].at(-1) ?? ''
    const after = String.fromCodePoint(text.codePointAt(index + character.length) ?? 32)
    const code = character.codePointAt(0)!
    // Joiners stand inside words of many scripts and inside emoji.
    if (code === 0x200c || code === 0x200d) return isJoined(before) && isJoined(after) ? [] : found
    // Marks of direction have their place in text that goes both ways.
    if (code === 0x200e || code === 0x200f || code === 0x061c) return isRightToLeft ? [] : found
    // One variation selector chooses the form of the character before it.
    if (code >= 0xfe00 && code <= 0xfe0f) return takesVariation(before) ? [] : found
    if (code >= 0xe0100 && code <= 0xe01ef) return /\p{Script=Han}/u.test(before) ? [] : found
    // Tags spell the name of a region behind a black flag.
    if (code >= 0xe0020 && code <= 0xe007f) return isInFlag(text, index) ? [] : found
    return found
  })
}

function isJoined(character: string): boolean {
  return isEmoji(character) || (/[\p{L}\p{M}]/u.test(character) && character > '\x7f')
}

function isEmoji(character: string): boolean {
  return /\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f/u.test(character)
}

function takesVariation(character: string): boolean {
  return /[0-9#*]/.test(character) || (character > '\x7f' && !/[\ufe00-\ufe0f]/.test(character))
}

function isInFlag(text: string, index: number): boolean {
  return /\u{1f3f4}[\u{e0020}-\u{e007f}]*$/u.test(text.slice(Math.max(0, index - 16), index))
}

function nameOf(character: string): string {
  const code = character.codePointAt(0)!
  const words =
    code >= 0x202a && code <= 0x202e
      ? ' (turns the direction of text)'
      : code >= 0x2066 && code <= 0x2069
        ? ' (isolates a direction of text)'
        : code === 0x200b
          ? ' (zero width space)'
          : code === 0xad
            ? ' (soft hyphen)'
            : code >= 0xe0000
              ? ' (tag or variation)'
              : ''
  return `U+${code.toString(16).toUpperCase().padStart(4, '0')}${words}`
}
