/** Keywords of JSON Schema 2020-12 whose values are maps from names to schemas. */
export const SCHEMA_MAPS = ['properties', 'patternProperties', 'dependentSchemas'] as const

/** Keywords whose values are lists of schemas. */
export const SCHEMA_LISTS = ['allOf', 'anyOf', 'oneOf', 'prefixItems'] as const

/** Keywords whose values are schemas. */
export const SCHEMA_SINGLES = [
  'items',
  'not',
  'if',
  'then',
  'else',
  'contains',
  'propertyNames',
  'additionalProperties',
  'unevaluatedItems',
  'unevaluatedProperties'
] as const
