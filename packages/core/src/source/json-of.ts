/** A value as JSON, for messages and comparisons. YAML aliases can make it contain itself: then only its kind shows. */
export function jsonOf(value: unknown): string {
  try {
    return (JSON.stringify(value) as string | undefined) ?? 'nothing'
  } catch {
    return Array.isArray(value) ? '[…]' : '{…}'
  }
}
