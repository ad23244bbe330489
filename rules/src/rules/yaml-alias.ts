import { defineRule } from '../rule.js'

export default defineRule({
  id: 'yaml-alias',
  category: 'document',
  severity: 'error',
  summary: 'An alias has an anchor before it.',
  why: 'Without one it stands for nothing, and the field is empty.',
  examples: {
    wrong: `openapi: 3.1.0
info: { title: Shop, version: '1' }
paths: *shared`,
    right: `openapi: 3.1.0
info: { title: Shop, version: '1' }
x-shared: &shared {}
paths: *shared`
  }
})
