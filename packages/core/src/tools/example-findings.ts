import { toPointer, type Diagnostic } from '../diagnostics.js'
import { at, child, elements } from '../source/workspace.js'
import type { ToolDefinition } from './tool.js'

/** Examples of tools that their own input schema refuses: a model that follows one gets an error. */
export async function exampleFindings(definitions: ToolDefinition[]): Promise<Diagnostic[]> {
  const withExamples = definitions.filter((d) => d.examples !== undefined)
  if (withExamples.length === 0) return []
  const { createValidator } = await import('./validate-arguments.js')
  return withExamples.flatMap(({ view, name, input }) => {
    const validate = createValidator(input.schema)
    const list = child(view.node, 'examples')
    return elements(list).flatMap((example): Diagnostic[] => {
      const checked = validate(example.value)
      if (!('errors' in checked)) return []
      const [first] = checked.errors
      const where = first!.path === '' ? '' : `${first!.path} `
      const inside = first!.path.split('/').slice(1)
      const place = inside.reduce((node: typeof example | undefined, key) => {
        const segment = key.replaceAll('~1', '/').replaceAll('~0', '~')
        return node && child(node, Array.isArray(node.value) ? Number(segment) : segment)
      }, example)
      return [
        at(example, {
          rule: 'x-agent-invalid-example',
          severity: 'error',
          message: `this example of ${name} is refused by its input schema: ${where}${first!.message} (${first!.keyword})`,
          ...(place &&
            toPointer(place.path) !== toPointer(example.path) && { within: place.path.slice(example.path.length) })
        })
      ]
    })
  })
}
