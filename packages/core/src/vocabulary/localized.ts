import { isObject } from '../source/workspace.js'

/**
 * The text of a locale, else the first one declared (x-agent vocabulary, "Localized text"). Undefined where the value is no
 * localized text.
 */
export function localizedText(value: unknown, locale: string): string | undefined {
  if (typeof value === 'string') return value
  if (!isObject(value)) return undefined
  const own = Object.hasOwn(value, locale) ? value[locale] : undefined
  if (typeof own === 'string') return own
  return Object.values(value).find((text) => typeof text === 'string')
}

/** All texts of a localized value with their place below it: a plain text has the empty path. */
export function allTexts(value: unknown): { path: string[]; text: string }[] {
  if (typeof value === 'string') return [{ path: [], text: value }]
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([locale, text]) => (typeof text === 'string' ? [{ path: [locale], text }] : []))
}
