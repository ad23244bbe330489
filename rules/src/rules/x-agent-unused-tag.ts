import { child, elements, isObject } from '@openapi-mcp/core'
import { defineRule } from '../rule.js'

export default defineRule({
  id: 'x-agent-unused-tag',
  category: 'drift',
  severity: 'warning',
  summary: 'A tag with `x-agent` is on some annotated operation.',
  why: 'Its profiles and its section of the instructions never reach an agent.',
  examples: {
    wrong: `openapi: 3.1.0
info: { title: Shop, version: '1' }
tags: [{ name: Items, x-agent: { skill: Items have an id. } }]
paths:
  /items:
    get: { operationId: listItems, summary: List the items., tags: [Goods], x-agent: {}, responses: { '200': { description: ok } } }`,
    right: `openapi: 3.1.0
info: { title: Shop, version: '1' }
tags: [{ name: Items, x-agent: { skill: Items have an id. } }]
paths:
  /items:
    get: { operationId: listItems, summary: List the items., tags: [Items], x-agent: {}, responses: { '200': { description: ok } } }`
  },
  check({ analysis, report }) {
    const used = new Set(analysis.views.flatMap(({ operation }) => operation.tags))
    const root = { document: analysis.document, path: [], value: analysis.document.value }
    for (const tag of elements(child(root, 'tags'))) {
      const annotation = child(tag, 'x-agent')
      const name = isObject(tag.value) ? tag.value['name'] : undefined
      if (!annotation || !isObject(annotation.value) || typeof name !== 'string' || used.has(name)) continue
      if (Object.keys(annotation.value).length === 0) continue
      report(annotation, { message: `no annotated operation has the tag "${name}"`, on: 'key' })
    }
  }
})
