/**
 * A response schema, walked along the data instead of inlined: the marks `exclude` and `hint` hold at every depth, in
 * recursion too, and a schema that would be huge when written out costs only what the data touches
 * (x-agent vocabulary, "Schema properties").
 */
export interface SchemaCursor {
  /** The schema of a property of an object value, through `$ref`, `allOf`, `oneOf`, `anyOf`, `patternProperties` and `additionalProperties`. */
  property(name: string): SchemaCursor | undefined
  /** The schema of an element of an array value. */
  item(index: number): SchemaCursor | undefined
  /** Declared property names in declared order, excluded ones left out. */
  propertyNames(): string[]
  /** Is this property marked `x-agent: { exclude: true }`? */
  readonly excluded: boolean
  /** The note to show beside the field, in the locale of the tool set. */
  readonly hint: string | undefined
}
