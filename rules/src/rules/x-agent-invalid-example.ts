import { child, elements, isObject, parsePointer, valueCheck, type Node } from '@openapi-mcp/core'
import { defineRule } from '../rule.js'

export default defineRule({
  id: 'x-agent-invalid-example',
  category: 'drift',
  severity: 'error',
  summary: 'Examples are arguments that the input schema of the tool accepts.',
  why: 'An agent that follows the example gets an error.',
  examples: {
    wrong: `operationId: readItem
x-agent: { examples: [{ id: 42 }] }
responses: { '200': { description: ok } }`,
    right: `operationId: readItem
x-agent: { examples: [{ id: '42' }] }
responses: { '200': { description: ok } }`
  },
  async measure({ definitions, report }) {
    const withExamples = definitions.filter((definition) => definition.examples !== undefined)
    if (withExamples.length === 0) return
    const check = await valueCheck()
    for (const definition of withExamples) {
      const { view, name } = definition
      const refused = check.arguments(definition)
      for (const example of elements(child(view.node, 'examples'))) {
        const [first] = refused(example.value)
        if (!first) continue
        const { path, message, keyword } = first
        const within = placeIn(example, path)
        report(example, {
          message: `this example of ${name} is refused by its input schema: ${path === '' ? '' : `${path} `}${message} (${keyword})`,
          ...(within.length > 0 && { within })
        })
      }
    }
  }
})

/** The part of a pointer that leads to something, as segments. */
function placeIn(example: Node, pointer: string): (string | number)[] {
  let place = example
  for (const segment of parsePointer(pointer)) {
    const next = child(place, isObject(place.value) ? segment : Number(segment))
    if (!next) break
    place = next
  }
  return place.path.slice(example.path.length)
}
