import { isObject } from '@openapi-mcp/core'
import { localizedNodes } from '../agent-texts.js'
import { defineRule } from '../rule.js'

export default defineRule({
  id: 'x-agent-missing-locale',
  category: 'quality',
  severity: 'warning',
  summary: 'A text with several locales has every locale that most of the others have.',
  why: 'Where a locale is missing, an agent gets that text in the language that happens to stand first.',
  examples: {
    wrong: `operationId: readItem
x-agent: { title: { en: Item, fr: Article }, description: { en: Read one item. } }
responses: { '200': { description: ok } }`,
    right: `operationId: readItem
x-agent: { title: { en: Item, fr: Article }, description: { en: Read one item., fr: Lire un article. } }
responses: { '200': { description: ok } }`
  },
  check({ analysis, report }) {
    const maps = localizedNodes(analysis.annotations).filter(({ value }) => isObject(value))
    const counts = new Map<string, number>()
    for (const { value } of maps) {
      for (const locale of Object.keys(value as object)) counts.set(locale, (counts.get(locale) ?? 0) + 1)
    }
    const usual = [...counts].filter(([, count]) => count * 2 >= maps.length).map(([locale]) => locale)
    for (const node of maps) {
      const missing = usual.filter((locale) => !Object.hasOwn(node.value as object, locale))
      if (missing.length === 0) continue
      const others = maps.filter(({ value }) => Object.hasOwn(value as object, missing[0]!)).length
      report(node, {
        message: `this text has no ${missing.map((locale) => `"${locale}"`).join(' and no ')}, which ${others} of ${maps.length} texts have`,
        on: 'key'
      })
    }
  }
})
