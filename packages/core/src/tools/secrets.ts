import { isSecretHeader } from './request.js'

/** Shorter values are words that may stand anywhere. */
const SHORTEST = 6

/** The credentials in headers: their values, and what stands behind a scheme such as `Bearer`. */
export function secretsIn(headers: Readonly<Record<string, string>>): string[] {
  return Object.entries(headers).flatMap(([name, value]) => {
    if (!isSecretHeader(name)) return []
    const text = String(value)
    if (/^cookie$/i.test(name)) return text.split(';').map((pair) => pair.slice(pair.indexOf('=') + 1).trim())
    return [text.trim(), text.replace(/^\s*[A-Za-z-]+\s+/, '').trim()]
  })
}

/** The text without credentials: some services repeat what they refuse, and a model and its logs are to know no keys. */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
  // The longest first: one may hold another.
  const known = [...new Set(secrets)].filter((secret) => secret.length >= SHORTEST).sort((a, b) => b.length - a.length)
  return known.reduce((rest, secret) => rest.replaceAll(secret, '***'), text)
}
