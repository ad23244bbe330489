import { toPointer, type Diagnostic } from '../diagnostics.js'
import { at, child, elements, isObject } from '../source/workspace.js'
import { composeInput } from './input.js'
import type { ToolDefinition } from './tool.js'

/** Examples of tools that their own input schema refuses: a model that follows one gets an error. */
export async function exampleFindings(definitions: ToolDefinition[]): Promise<Diagnostic[]> {
  const withExamples = definitions.filter((d) => d.examples !== undefined)
  if (withExamples.length === 0) return []
  const { createValidator } = await import('./validate-arguments.js')
  return withExamples.flatMap(({ view, name, context }) => {
    // As a call checks them: with recursion, and a compact body against its real schema.
    const input = composeInput({ ...context, report: () => {}, onProblem: () => {} }, 'refs')
    const validate = createValidator(input.schema)
    const bodyName = Object.keys(input.arguments).find((key) => input.arguments[key]!.kind === 'body')
    const validateBody = bodyName !== undefined && input.bodySchema ? createValidator(input.bodySchema) : undefined
    const fixed = input.fixed.flatMap((f) => (f.kind === 'bodyProperty' ? [[f.name, f.value] as const] : []))
    const list = child(view.node, 'examples')
    return elements(list).flatMap((example): Diagnostic[] => {
      const checked = validate(example.value)
      const body = isObject(example.value) && bodyName !== undefined ? example.value[bodyName] : undefined
      const whole = isObject(body) ? { ...body, ...Object.fromEntries(fixed) } : body
      const checkedBody = validateBody && body !== undefined ? validateBody(whole) : { value: body }
      const errors = [
        ...('errors' in checked ? checked.errors : []),
        ...('errors' in checkedBody ? checkedBody.errors.map((e) => ({ ...e, path: `/${bodyName}${e.path}` })) : [])
      ]
      const [first] = errors
      if (!first) return []
      const where = first.path === '' ? '' : `${first.path} `
      const inside = first.path.split('/').slice(1)
      const place = inside.reduce((node: typeof example | undefined, key) => {
        const segment = key.replaceAll('~1', '/').replaceAll('~0', '~')
        return node && child(node, Array.isArray(node.value) ? Number(segment) : segment)
      }, example)
      return [
        at(example, {
          rule: 'x-agent-invalid-example',
          severity: 'error',
          message: `this example of ${name} is refused by its input schema: ${where}${first.message} (${first.keyword})`,
          ...(place &&
            toPointer(place.path) !== toPointer(example.path) && { within: place.path.slice(example.path.length) })
        })
      ]
    })
  })
}
