import { defineRule } from '../rule.js'

export default defineRule({
  id: 'config-misnamed',
  category: 'configuration',
  severity: 'warning',
  summary: 'A configuration has one of the names under which it is looked for.',
  why: 'A file with nearly that name is not read, and all that it says does nothing.',
  foundBy: 'configuration',
  examples: {
    wrong: `# openapi_mcp.yaml
failOn: warning`,
    right: `# openapi-mcp.yaml
failOn: warning`
  }
})
