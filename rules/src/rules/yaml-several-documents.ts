import { defineRule } from '../rule.js'

export default defineRule({
  id: 'yaml-several-documents',
  category: 'document',
  severity: 'error',
  summary: 'A file holds one document.',
  why: 'Only the first one is read; the tools of the others are missing.',
  examples: {
    wrong: `openapi: 3.1.0
info: { title: Shop, version: '1' }
paths: {}
---
openapi: 3.1.0
info: { title: Shop, version: '1' }
paths: {}`,
    right: `openapi: 3.1.0
info: { title: Shop, version: '1' }
paths: {}`
  }
})
