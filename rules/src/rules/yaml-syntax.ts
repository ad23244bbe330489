import { defineRule } from '../rule.js'

export default defineRule({
  id: 'yaml-syntax',
  category: 'document',
  severity: 'error',
  summary: 'The text is YAML 1.2.',
  why: 'What stands behind the mistake is guessed at best, and other programs refuse the document.',
  examples: {
    wrong: `openapi: 3.1.0
info: { title: Shop, version: '1' }
paths: {}
servers: [{ url: 'https://shop.example' }`,
    right: `openapi: 3.1.0
info: { title: Shop, version: '1' }
paths: {}
servers: [{ url: 'https://shop.example' }]`
  }
})
