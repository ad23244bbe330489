import { isObject } from '../source/workspace.js'
import { composeInput } from './input.js'
import type { ToolDefinition } from './tool.js'
import type { JsonSchema } from './types.js'
import type { ArgumentError } from './validate-arguments.js'

/** What is wrong with values; nothing where they are valid. */
export interface ValueCheck {
  /** A value against a schema. */
  value(schema: JsonSchema, value: unknown): ArgumentError[]
  /** Arguments of a tool, as a call checks them: with recursion, and a compact body against its real schema. */
  arguments(definition: ToolDefinition): (args: unknown) => ArgumentError[]
}

/** Checks values. The validator is large, so it loads on first need. */
export async function valueCheck(): Promise<ValueCheck> {
  const { createValidator } = await import('./validate-arguments.js')
  const errorsOf = (validate: ReturnType<typeof createValidator>, value: unknown): ArgumentError[] => {
    const checked = validate(value)
    return 'errors' in checked ? checked.errors : []
  }
  return {
    value: (schema, value) => errorsOf(createValidator(schema, { useDefaults: false }), value),
    arguments: ({ context }) => {
      const input = composeInput({ ...context, report: () => {}, onProblem: () => {} }, 'refs')
      const validate = createValidator(input.schema)
      const bodyName = Object.keys(input.arguments).find((name) => input.arguments[name]!.kind === 'body')
      const validateBody = bodyName !== undefined && input.bodySchema ? createValidator(input.bodySchema) : undefined
      const fixed = input.fixed.flatMap((f) => (f.kind === 'bodyProperty' ? [[f.name, f.value] as const] : []))
      return (args) => {
        const errors = errorsOf(validate, args)
        const body = isObject(args) && bodyName !== undefined ? args[bodyName] : undefined
        if (!validateBody || body === undefined) return errors
        const whole = isObject(body) ? { ...body, ...Object.fromEntries(fixed) } : body
        return [...errors, ...errorsOf(validateBody, whole).map((e) => ({ ...e, path: `/${bodyName}${e.path}` }))]
      }
    }
  }
}
