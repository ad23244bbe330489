/**
 * Is a text an OpenAPI document, as far as a look can tell? For those who search folders and open files: fragments, data and configuration
 * are none of theirs. A document of version 2 counts only where it is annotated, since it has to be refused there.
 */
export function looksLikeOpenApi(text: string): boolean {
  const first = /[^\s\ufeff]/.exec(text)?.[0]
  if (first === '{') return isJsonDocument(text)
  return (
    /^(openapi|"openapi"|'openapi')\s*:\s*["']?\d/m.test(text) ||
    (/^(swagger|"swagger"|'swagger')\s*:\s*["']?\d/m.test(text) && text.includes('x-agent'))
  )
}

function isJsonDocument(text: string): boolean {
  if (!/["'{,\s](openapi|swagger)["']?\s*:\s*["']?\d/.test(text)) return false
  let value: unknown
  try {
    value = JSON.parse(text.replace(/^\ufeff/, ''))
  } catch {
    // Broken JSON, or YAML in braces: whoever reads it will say what is wrong.
    return true
  }
  if (value === null || typeof value !== 'object') return false
  return 'openapi' in value || ('swagger' in value && text.includes('x-agent'))
}
