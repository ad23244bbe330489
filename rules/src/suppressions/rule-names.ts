import { didYouMean, nearest } from '@openapi-mcp/core'
import { rules } from '../registry.js'

const ids = rules.map(({ id }) => id)

export function isOwnRule(name: string): boolean {
  return ids.includes(name)
}

/** The rule that is most likely meant by a name which none has. */
export function nearestRule(name: string): string | undefined {
  return nearest(name, ids)
}

/** What to say of a name that no rule has. */
export function noSuchRule(name: string): string {
  return `there is no rule ${JSON.stringify(name)}${didYouMean(nearestRule(name))}`
}
