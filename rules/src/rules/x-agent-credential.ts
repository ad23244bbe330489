import { child, elements, members, type Node } from '@openapi-mcp/core'
import { agentTexts } from '../agent-texts.js'
import { defineRule } from '../rule.js'

export default defineRule({
  id: 'x-agent-credential',
  category: 'safety',
  severity: 'error',
  summary: 'Descriptions, examples, defaults and fixed values hold no credentials.',
  why: 'Whoever reads the document or talks to an agent with these tools has them.',
  examples: {
    wrong: `operationId: readItem
parameters: [{ name: key, in: query, schema: { type: string } }]
x-agent: { fixed: { key: ghp_16C7e42F292c6912E7710c838347Ae178B4a } }
responses: { '200': { description: ok } }`,
    right: `operationId: readItem
parameters: [{ name: key, in: query, schema: { type: string } }]
x-agent: { params: { key: { exclude: true } } }
responses: { '200': { description: ok } }`
  },
  check(context) {
    const { definitions, report } = context
    for (const { node, within, text } of agentTexts(context)) {
      const found = credentialIn(text)
      if (found) report(node, { message: messageOf(found), ...(within.length > 0 && { within }) })
    }
    for (const { view } of definitions) {
      const data = [
        ...elements(child(view.node, 'examples')),
        ...members(child(view.node, 'fixed')).map(([, node]) => node),
        ...members(child(view.node, 'params')).flatMap(([, override]) => child(override, 'default') ?? [])
      ]
      const seen = new Set<unknown>()
      for (const node of data) inData(node, [], node.value, seen)
    }

    /** Each object once: aliases can make data contain itself. */
    function inData(node: Node, within: (string | number)[], value: unknown, seen: Set<unknown>): void {
      if (typeof value === 'string') {
        const found = credentialIn(value)
        if (found) report(node, { message: messageOf(found), ...(within.length > 0 && { within }) })
      }
      if (typeof value !== 'object' || value === null || seen.has(value)) return
      seen.add(value)
      for (const [name, inner] of Object.entries(value) as [string, unknown][])
        inData(node, [...within, Array.isArray(value) ? Number(name) : name], inner, seen)
    }
  }
})

interface Credential {
  kind: string
  start: string
}

const KINDS: [string, RegExp][] = [
  ['a private key', /-----BEGIN [A-Z ]*PRIVATE KEY-----/],
  ['an AWS access key', /\b(AKIA|ASIA)[0-9A-Z]{16}\b/],
  ['a GitHub token', /\b(gh[pousr]_[A-Za-z0-9]{36,}|github_pat_\w{50,})/],
  ['a GitLab token', /\bglpat-[\w-]{20,}/],
  ['a Slack token', /\bxox[abeoprs]-[\w-]{10,}/],
  ['a Stripe key', /\b[rs]k_(live|test)_[A-Za-z0-9]{16,}/],
  ['an API key', /\bsk-[A-Za-z0-9_-]{20,}/],
  ['a Google API key', /\bAIza[\w-]{35}/],
  ['an npm token', /\bnpm_[A-Za-z0-9]{36}\b/],
  ['a JSON Web Token', /\beyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{10,}/],
  ['a bearer token', /\bBearer\s+[A-Za-z0-9._~+/-]{24,}/],
  ['a password in an address', /\b[a-z][a-z0-9+.-]*:\/\/[^\s/:@"']+:[^\s/:@"']{3,}@[^\s/]/i]
]

/** What people write where a credential would stand. */
const PLACEHOLDER =
  /example|sample|placeholder|your[_-]?|dummy|changeme|redacted|password@|:pass@|secret@|x{4}|\*{3}|\.{3}|…|<|\$\{|\{\{/i

function credentialIn(text: string): Credential | undefined {
  for (const [kind, pattern] of KINDS) {
    const match = pattern.exec(text)
    if (match && !PLACEHOLDER.test(match[0])) return { kind, start: match[0].slice(0, 4) }
  }
  return undefined
}

/** Never the credential itself: findings go into reports and logs. */
function messageOf({ kind, start }: Credential): string {
  return `this looks like ${kind} (${start}…); take it out, and make it invalid where it was issued`
}
