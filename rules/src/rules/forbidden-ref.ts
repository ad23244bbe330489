import { defineRule } from '../rule.js'

export default defineRule({
  id: 'forbidden-ref',
  category: 'document',
  severity: 'error',
  summary: 'References stay in the folder of the document, or at its origin on the web.',
  why: 'A document from elsewhere could read files and addresses that are none of its business. `--root` and `--allow-remote-refs` allow more.',
  examples: {
    wrong: `operationId: readItem
x-agent: {}
parameters: [{ $ref: 'https://example.com/shared.yaml#/page' }]
responses: { '200': { description: ok } }`,
    right: `operationId: readItem
x-agent: {}
parameters: [{ name: page, in: query, schema: { type: integer } }]
responses: { '200': { description: ok } }`
  }
})
