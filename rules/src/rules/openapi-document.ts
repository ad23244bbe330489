import { defineRule } from '../rule.js'

export default defineRule({
  id: 'openapi-document',
  category: 'document',
  severity: 'error',
  summary: 'The document is an object with an `openapi` field.',
  why: 'It gives no tools: nothing else in it is looked at.',
  examples: {
    wrong: `info: { title: Shop, version: '1' }
paths: {}`,
    right: `openapi: 3.1.0
info: { title: Shop, version: '1' }
paths: {}`
  }
})
