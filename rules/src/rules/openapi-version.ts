import { defineRule } from '../rule.js'

export default defineRule({
  id: 'openapi-version',
  category: 'document',
  severity: 'error',
  summary: 'The document is written in OpenAPI 3.0, 3.1 or 3.2, and `openapi` says so as text.',
  why: 'Another version is not read. A version without quotes is read, with a warning: YAML takes 3.10 for 3.1.',
  examples: {
    wrong: `swagger: '2.0'
info: { title: Shop, version: '1' }
paths: {}`,
    right: `openapi: 3.1.0
info: { title: Shop, version: '1' }
paths: {}`
  }
})
