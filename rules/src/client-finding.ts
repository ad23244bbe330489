import type { Severity } from '@openapi-mcp/core'
import { clientOf, type Client, type ClientId, type Effect, type Limit } from './clients.js'

/** A limit that tools break, with the clients that have it. */
export interface BrokenLimit<T> {
  limit: Limit<T>
  titles: string[]
}

/** The limits of one kind that are broken, those of equal value and effect together, the narrowest first. */
export function brokenLimits<T>(
  clients: readonly ClientId[],
  limitOf: (client: Client, id: ClientId) => Limit<T> | undefined,
  isBroken: (limit: T, client: Client) => boolean
): BrokenLimit<T>[] {
  const broken = new Map<string, BrokenLimit<T>>()
  for (const id of clients) {
    const client = clientOf(id)
    const limit = limitOf(client, id)
    if (!limit || !isBroken(limit.value, client)) continue
    const key = `${limit.effect} ${JSON.stringify(limit.value)}`
    const known = broken.get(key)
    if (known) known.titles.push(client.title)
    else broken.set(key, { limit, titles: [client.title] })
  }
  return [...broken.values()]
}

const EFFECTS: Record<Effect, string> = {
  refuses: 'the request is refused by',
  drops: 'the tool is left out by',
  alters: 'it is changed silently by'
}

/** "the request is refused by Claude API and OpenAI functions" */
export function effectOn({ limit, titles }: BrokenLimit<unknown>): string {
  const names = titles.length === 1 ? titles[0]! : `${titles.slice(0, -1).join(', ')} and ${titles.at(-1)!}`
  return `${EFFECTS[limit.effect]} ${names}`
}

/** A tool that does not arrive is an error; one that arrives otherwise than it was written is a warning. */
export function severityOfEffect(effect: Effect): Severity {
  return effect === 'alters' ? 'warning' : 'error'
}
