import { defineRule } from '../rule.js'

export default defineRule({
  id: 'config-invalid-value',
  category: 'configuration',
  severity: 'error',
  summary: 'What the configuration, the ignore file and the baseline say has the shape that is expected.',
  why: 'The check would run under settings that nobody meant, so it does not run at all.',
  foundBy: 'configuration',
  examples: {
    wrong: `# openapi-mcp.yaml
rules:
  x-agent-unused-profile: false`,
    right: `# openapi-mcp.yaml
rules:
  x-agent-unused-profile: off`
  }
})
