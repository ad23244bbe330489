import { defineRule } from '../rule.js'

export default defineRule({
  id: 'config-missing-field',
  category: 'configuration',
  severity: 'error',
  summary: 'The objects of the configuration have the fields that they need.',
  why: 'Settings for some files do nothing as long as nobody says for which.',
  foundBy: 'configuration',
  examples: {
    wrong: `# openapi-mcp.yaml
overrides:
  - rules: { x-agent-unused-tag: off }`,
    right: `# openapi-mcp.yaml
overrides:
  - files: legacy/**
    rules: { x-agent-unused-tag: off }`
  }
})
