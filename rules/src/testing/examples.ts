import type { LintSettings, Rule } from '../index.js'

/** An example as a document: itself, or the operation of a document that is otherwise free of findings. */
export function documentOf(example: string): { uri: string; text: string } {
  if (example.startsWith('{')) return { uri: 'file:///api/openapi.json', text: example }
  const uri = 'file:///api/openapi.yaml'
  if (/^(openapi|swagger|paths):/m.test(example)) return { uri, text: example }
  const lines = example.split('\n').map((line) => `      ${line}`)
  const text = `openapi: 3.1.0
info: { title: Shop, version: '1' }
x-agent: { profiles: { explore: {} } }
paths:
  /items:
    get: { operationId: listItems, summary: List the items., x-agent: {}, responses: { '200': { description: ok } } }
  /items/{id}:
    parameters: [{ name: id, in: path, required: true, schema: { type: string } }]
    get:
${example.includes('summary:') ? '' : '      summary: Read one item.\n'}${lines.join('\n')}
`
  return { uri, text }
}

/** The settings of the examples of a rule, as a user would write them. */
export function settingsOf({ id, examples: { settings = {} } }: Rule): LintSettings {
  const { clients, options, off = [] } = settings
  return {
    ...(clients && { clients }),
    rules: {
      ...Object.fromEntries(off.map((rule) => [rule, 'off' as const])),
      ...(options && { [id]: { ...options } })
    }
  }
}
