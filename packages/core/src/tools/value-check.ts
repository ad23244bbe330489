import type { ArgumentError } from './validate-arguments.js'
import type { JsonSchema } from './types.js'

/** What a schema says against a value; nothing where it is valid. Defaults are not filled in. */
export type ValueCheck = (schema: JsonSchema, value: unknown) => ArgumentError[]

/** Checks values against schemas. The validator is large, so it loads on first need. */
export async function valueCheck(): Promise<ValueCheck> {
  const { createValidator } = await import('./validate-arguments.js')
  return (schema, value) => {
    const checked = createValidator(schema, { useDefaults: false })(value)
    return 'errors' in checked ? checked.errors : []
  }
}
