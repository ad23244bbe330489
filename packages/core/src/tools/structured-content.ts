import { parsePointer } from '../diagnostics.js'
import type { ArgumentError } from './validate-arguments.js'

type Validate = (value: unknown) => { value: unknown } | { errors: ArgumentError[] }

/** How often offences are taken out before all is given up: what stands behind one may show another. */
const MOST_ROUNDS = 10

/**
 * What of an answer conforms to the output schema. Clients throw away a whole result, its text included, where its structured content breaks
 * the schema that the tool lists; but services break their own schemas, and answer with nothing or with text. So what does not conform is
 * left out here, and the text has it all. Undefined where no value conforms.
 */
export function conforming(data: unknown, validate: Validate): unknown {
  let value = structuredClone(data)
  for (let round = 0; round < MOST_ROUNDS && value !== undefined; round++) {
    const checked = validate(value)
    if (!('errors' in checked)) return value
    value = without(value, checked.errors)
  }
  return [{}, [], '', 0, false, null].find((candidate) => !('errors' in validate(candidate)))
}

/** The value without the places of errors; undefined where the value itself is one. */
function without(value: unknown, errors: ArgumentError[]): unknown {
  const paths = errors.map(({ path }) => parsePointer(path))
  if (paths.some((path) => path.length === 0)) return undefined
  // The last elements of a list go first, so that those before keep their places.
  for (const path of paths.sort(backwards)) remove(value, path)
  return value
}

function backwards(a: string[], b: string[]): number {
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    if (a[i] !== b[i]) return b[i]!.localeCompare(a[i]!, 'en', { numeric: true })
  }
  return b.length - a.length
}

function remove(root: unknown, path: string[]): void {
  const holder = path
    .slice(0, -1)
    .reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], root)
  const last = path.at(-1)!
  if (Array.isArray(holder)) holder.splice(Number(last), 1)
  else if (typeof holder === 'object' && holder !== null) delete (holder as Record<string, unknown>)[last]
}
