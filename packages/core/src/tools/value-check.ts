import type { ArgumentError, ValidatorOptions } from './validate-arguments.js'
import type { JsonSchema } from './types.js'

/** What a schema says against a value; nothing where it is valid. */
export type ValueCheck = (schema: JsonSchema, value: unknown) => ArgumentError[]

/** Checks values against schemas. The validator is large, so it loads on first need. */
export async function valueCheck(options: ValidatorOptions = { useDefaults: false }): Promise<ValueCheck> {
  const { createValidator } = await import('./validate-arguments.js')
  const validators = new WeakMap<JsonSchema, ReturnType<typeof createValidator>>()
  return (schema, value) => {
    const validate = validators.get(schema) ?? createValidator(schema, options)
    validators.set(schema, validate)
    const checked = validate(value)
    return 'errors' in checked ? checked.errors : []
  }
}
