import { defineRule } from '../rule.js'

export default defineRule({
  id: 'config-unknown-field',
  category: 'configuration',
  severity: 'error',
  summary: 'The configuration has only fields, rules and options that there are.',
  why: 'A setting with a slip of the pen in its name would do nothing.',
  foundBy: 'configuration',
  examples: {
    wrong: `# openapi-mcp.yaml
rules:
  x-agent-no-descripton: error`,
    right: `# openapi-mcp.yaml
rules:
  x-agent-no-description: error`
  }
})
