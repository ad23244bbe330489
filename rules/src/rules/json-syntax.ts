import { defineRule } from '../rule.js'

export default defineRule({
  id: 'json-syntax',
  category: 'document',
  severity: 'error',
  summary: 'The text of a `.json` document is JSON.',
  why: 'What stands behind the mistake is guessed at best, and other programs refuse the document.',
  examples: {
    wrong: `{
  "openapi": "3.1.0",
  "info": { "title": "Shop" "version": "1" },
  "paths": {}
}`,
    right: `{
  "openapi": "3.1.0",
  "info": { "title": "Shop", "version": "1" },
  "paths": {}
}`
  }
})
