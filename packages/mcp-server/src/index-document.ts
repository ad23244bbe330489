import { nearest, skillOf, UsageError, type Skill, type SourceDocument } from '@openapi-mcp/core'

/** A document that lists the documents to serve together. */
export interface ServiceIndex {
  services: { id: string; openapi: string }[]
  /** In declared order; the first one is the default. */
  profiles: { name: string; includes: string[] }[]
  skills: SkillEntry[]
}

type SkillEntry = Parameters<typeof skillOf>[0]

const KNOWN = {
  index: ['version', 'services', 'profiles', 'skills'],
  service: ['id', 'openapi'],
  profile: ['title', 'description', 'includes'],
  skill: ['name', 'description', 'href', 'body', 'profiles', 'tools']
}

/** Is this an index document and no OpenAPI document? */
export function isIndex({ value }: SourceDocument): boolean {
  return isObject(value) && !('openapi' in value) && !('swagger' in value) && 'services' in value
}

/** Reads an index document. Throws a UsageError that lists everything that is wrong in it, with paths. */
export function readIndex(document: SourceDocument): ServiceIndex {
  const problems: string[] = []
  const { value } = document
  const index = isObject(value) ? value : {}
  const check = new Checker(problems)
  check.keys(index, KNOWN.index, '$')
  if (index['version'] !== 1) problems.push('$.version must be 1')
  const services = check.list(index['services'], '$.services').map((service, i) => {
    const path = `$.services[${i}]`
    check.keys(service, KNOWN.service, path)
    const id = check.text(service['id'], `${path}.id`)
    if (!/^[a-z0-9-]+$/.test(id)) problems.push(`${path}.id must be lower-case letters, digits and hyphens`)
    const openapi = check.text(service['openapi'], `${path}.openapi`)
    if (!URL.canParse(openapi, document.uri)) problems.push(`${path}.openapi must be an address`)
    return { id, openapi: URL.canParse(openapi, document.uri) ? new URL(openapi, document.uri).href : openapi }
  })
  if (services.length === 0) problems.push('$.services must list at least one service')
  services.forEach(({ id }, i) => {
    if (services.findIndex((s) => s.id === id) < i)
      problems.push(`$.services[${i}].id ${JSON.stringify(id)} is given twice`)
  })
  const profiles = Object.entries(isObject(index['profiles']) ? index['profiles'] : {}).map(([name, profile]) => {
    const path = `$.profiles.${name}`
    if (!isObject(profile)) problems.push(`${path} must be an object`)
    const fields = isObject(profile) ? profile : {}
    check.keys(fields, KNOWN.profile, path)
    const includes = fields['includes'] ?? []
    if (!Array.isArray(includes) || !includes.every((i) => typeof i === 'string'))
      problems.push(`${path}.includes must be a list of profile names`)
    return { name, includes: Array.isArray(includes) ? includes.map(String) : [] }
  })
  const skills = check.list(index['skills'] ?? [], '$.skills')
  skills.forEach((skill, i) => {
    check.keys(skill, KNOWN.skill, `$.skills[${i}]`)
    check.text(skill['name'], `$.skills[${i}].name`)
    if (skill['href'] !== undefined)
      problems.push(`$.skills[${i}].href is not read from an index; give the text as \`body\``)
    if (skill['description'] === undefined) problems.push(`$.skills[${i}].description is missing`)
  })
  if (problems.length > 0)
    throw new UsageError(`the index document is refused:\n${problems.map((p) => `  ${p}`).join('\n')}`)
  return { services, profiles, skills: skills as unknown as SkillEntry[] }
}

/** A request for profiles with what the index includes in them, transitively. */
export function expandProfiles(index: ServiceIndex, names: string[]): string[] {
  const all = new Set<string>()
  const open = [...names]
  for (let name = open.shift(); name !== undefined; name = open.shift()) {
    if (all.has(name)) continue
    all.add(name)
    open.push(...(index.profiles.find((p) => p.name === name)?.includes ?? []))
  }
  return [...all]
}

/** The skills of the index for a set of profiles, in a locale. */
export function indexSkills(index: ServiceIndex, profiles: ReadonlySet<string>, locale: string): Skill[] {
  return index.skills
    .filter((s) => !s.profiles || s.profiles.some((p) => profiles.has(p)))
    .map((s) => skillOf(s, locale))
}

class Checker {
  readonly #problems: string[]

  constructor(problems: string[]) {
    this.#problems = problems
  }

  keys(object: Record<string, unknown>, known: string[], path: string): void {
    for (const key of Object.keys(object)) {
      if (known.includes(key)) continue
      const near = nearest(key, known)
      this.#problems.push(
        `${path}.${key} is no field of it${near === undefined ? `; the fields are ${known.join(', ')}` : `; did you mean "${near}"?`}`
      )
    }
  }

  list(value: unknown, path: string): Record<string, unknown>[] {
    if (Array.isArray(value) && value.every(isObject)) return value
    this.#problems.push(`${path} must be a list of objects`)
    return []
  }

  text(value: unknown, path: string): string {
    if (typeof value === 'string' && value !== '') return value
    this.#problems.push(`${path} must be a text`)
    return ''
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}
