import { Kind, OptionalKind, type TObject, type TSchema } from '@sinclair/typebox'
import type { Diagnostic } from '../diagnostics.js'
import { at, child, elements, isObject, isObjectNode, members, type Node } from '../source/workspace.js'
import { jsonOf } from '../source/json-of.js'
import { definitions, LONGEST_SKILL_DESCRIPTION, placeOf, type Scope } from './definitions.js'
import { didYouMean, nearest } from './suggestions.js'

/**
 * The findings of one `x-agent` value against the definition of its scope: unknown fields, wrong shapes, bad names.
 * An interpreter of the definitions instead of a general validator, so that each finding stands at the very place and says
 * what is expected there; a test keeps it equal to the published JSON Schema.
 */
export function validateAnnotation(scope: Scope, node: Node): Diagnostic[] {
  const findings: Diagnostic[] = []
  const check = new Checker((finding) => findings.push(finding))
  if (scope === 'operation' && Array.isArray(node.value)) checkViews(check, node)
  else {
    check.value(definitions[scope], node, `x-agent of ${placeOf(scope)}`)
    if (scope === 'root') checkSkills(node, check)
  }
  return findings
}

/** Several views of one operation: each an operation annotation with a name of its own. */
function checkViews(check: Checker, node: Node): void {
  const views = elements(node)
  if (views.length === 0)
    check.report(node, 'x-agent-invalid-value', 'x-agent as a list of views needs at least one view')
  const seen = new Set<unknown>()
  for (const view of views) {
    check.value(definitions.operation, view, 'a view')
    if (!isObjectNode(view)) continue
    const name = child(view, 'name')
    if (!name) check.report(view, 'x-agent-missing-field', 'each view in a list needs a `name` of its own')
    else if (seen.has(name.value))
      check.report(view, 'x-agent-view-name', `the view name ${jsonOf(name.value)} is given twice`)
    if (name) seen.add(name.value)
  }
}

/** What no single field of the skills of a node can say. */
export function checkSkills(node: Node, check: Checker): void {
  const names = new Map<unknown, Node>()
  for (const skill of elements(child(node, 'skills'))) {
    if (!isObjectNode(skill)) continue
    const href = child(skill, 'href')
    if (href && Object.values(isObject(href.value) ? href.value : { href: href.value }).includes('')) {
      check.report(href, 'x-agent-invalid-value', '`href` must be an address, not an empty text')
    }
    if ('href' in skill.value && 'body' in skill.value) {
      check.report(skill, 'x-agent-invalid-value', 'a skill has `body` or `href`, not both')
    }
    if ('href' in skill.value || 'body' in skill.value) checkDescription(child(skill, 'description'), check)
    const name = child(skill, 'name')
    if (typeof name?.value === 'string') {
      if (names.has(name.value))
        check.report(name, 'x-agent-duplicate-skill', `the skill name ${jsonOf(name.value)} is given twice`)
      names.set(name.value, name)
    }
  }
}

/** Beside a body of its own the whole text describes the skill; else its first paragraph does, which is cut. */
function checkDescription(description: Node | undefined, check: Checker): void {
  if (!description) return
  for (const text of isObjectNode(description) ? members(description).map(([, node]) => node) : [description]) {
    const length = typeof text.value === 'string' ? [...text.value.trim()].length : 0
    if (length <= LONGEST_SKILL_DESCRIPTION) continue
    const message = `a skill with \`body\` or \`href\` has a \`description\` of at most ${LONGEST_SKILL_DESCRIPTION} characters; this one has ${length}`
    check.report(text, 'x-agent-invalid-value', message)
  }
}

type Report = (finding: Diagnostic) => void

/** Most fields that a finding lists. */
const LONGEST_LIST = 20

/** The rules under which a shape is checked. */
export interface ShapeRules {
  unknownField: string
  invalidValue: string
  missingField: string
  invalidName: string
}

const VOCABULARY: ShapeRules = {
  unknownField: 'x-agent-unknown-field',
  invalidValue: 'x-agent-invalid-value',
  missingField: 'x-agent-missing-field',
  invalidName: 'x-agent-invalid-name'
}

/** The findings of a value against a definition, for definitions outside the vocabulary. `label` names the value in messages. */
export function checkShape(definition: TSchema, node: Node, label: string, rules: ShapeRules): Diagnostic[] {
  const findings: Diagnostic[] = []
  new Checker((finding) => findings.push(finding), rules).value(definition, node, label)
  return findings
}

/** Checks values against definitions, and reports what is wrong at its place. */
export class Checker {
  readonly #report: Report
  readonly #rules: ShapeRules

  constructor(report: Report, rules: ShapeRules = VOCABULARY) {
    this.#report = report
    this.#rules = rules
  }

  report(node: Node, rule: string, message: string, more: Partial<Diagnostic> = {}): void {
    this.#report(at(node, { rule, severity: 'error', message, ...more }))
  }

  value(schema: TSchema, node: Node, label: string): void {
    switch (schema[Kind]) {
      case 'Object':
        return this.#object(schema as TObject, node, label)
      case 'Record':
        return this.#map(schema, node, label)
      case 'Array':
        return this.#list(schema, node, label)
      case 'Union':
      case 'Unsafe':
        return this.#union(schema, node, label)
      case 'Unknown':
        return
      default:
        return this.#scalar(schema, node, label)
    }
  }

  #expected(schema: TSchema, node: Node, label: string): void {
    const values = ((schema['anyOf'] as TSchema[] | undefined) ?? []).map(({ const: value }) => value as unknown)
    const texts = values.filter((value): value is string => typeof value === 'string')
    const help = typeof node.value === 'string' ? didYouMean(nearest(node.value, texts)) : ''
    this.report(
      node,
      this.#rules.invalidValue,
      `${label} must be ${schema.expects ?? 'something else'}, not ${describe(node.value)}${help}`
    )
  }

  #object(schema: TObject, node: Node, label: string): void {
    if (!isObjectNode(node)) return this.#expected(schema, node, label)
    const known = Object.keys(schema.properties)
    for (const [name, value] of members(node)) {
      const field = Object.hasOwn(schema.properties, name) ? schema.properties[name] : undefined
      if (field) this.value(field, value, `\`${name}\``)
      else this.unknownField(value, name, label, known)
    }
    const missing = Object.entries(schema.properties)
      .filter(([name, field]) => field[OptionalKind] !== 'Optional' && !Object.hasOwn(node.value, name))
      .map(([name]) => `\`${name}\``)
    if (missing.length > 0) {
      const fields = missing.length === 1 ? 'field' : 'fields'
      this.report(node, this.#rules.missingField, `${label} needs the ${fields} ${missing.join(' and ')}`)
    }
  }

  unknownField(node: Node, name: string, label: string, known: string[]): void {
    const suggestion = nearest(name, known)
    const list = known.length > LONGEST_LIST ? '' : `; the fields are ${known.join(', ')}`
    const help = suggestion ? didYouMean(suggestion) : list
    this.report(node, this.#rules.unknownField, `unknown field ${JSON.stringify(name)} in ${label}${help}`, {
      on: 'key',
      ...(suggestion !== undefined && { suggestion })
    })
  }

  #map(schema: TSchema, node: Node, label: string): void {
    if (!isObjectNode(node)) return this.#expected(schema, node, label)
    const entries = members(node)
    if (entries.length < ((schema['minProperties'] as number | undefined) ?? 0))
      return this.#expected(schema, node, label)
    const inner = Object.values(schema['patternProperties'] as Record<string, TSchema>)[0]!
    for (const [name, value] of entries) this.value(inner, value, `${JSON.stringify(name)} in ${label}`)
  }

  #list(schema: TSchema, node: Node, label: string): void {
    if (!Array.isArray(node.value) || node.value.length < ((schema['minItems'] as number | undefined) ?? 0)) {
      return this.#expected(schema, node, label)
    }
    const items = elements(node)
    const seen = new Set<unknown>()
    for (const item of items) {
      this.value(schema['items'] as TSchema, item, `each entry of ${label}`)
      if (schema['uniqueItems'] && seen.has(item.value)) {
        this.report(item, this.#rules.invalidValue, `${jsonOf(item.value)} stands twice in ${label}`)
      }
      seen.add(item.value)
    }
  }

  /** The branch of the same shape as the value explains best what is wrong in it. */
  #union(schema: TSchema, node: Node, label: string): void {
    const branches = schema['anyOf'] as TSchema[]
    const shapes = branches.filter((b) => shapeOf(b) === shapeOfValue(node.value))
    const [branch] = shapes
    if (!branch || shapes.every((b) => b[Kind] === 'Literal')) {
      if (!branches.some((b) => b[Kind] === 'Literal' && b['const'] === node.value)) this.#expected(schema, node, label)
      return
    }
    this.value(branch, node, label)
  }

  #scalar(schema: TSchema, node: Node, label: string): void {
    const { value } = node
    if ('const' in schema && value !== schema['const']) return this.#expected(schema, node, label)
    const isInteger = schema['type'] === 'integer'
    if (typeof value !== (isInteger ? 'number' : schema['type'])) return this.#expected(schema, node, label)
    if (typeof value === 'number') {
      const least = (schema['minimum'] as number | undefined) ?? -Infinity
      if (!Number.isFinite(value) || (isInteger && !Number.isInteger(value))) this.#expected(schema, node, label)
      else if (value < least)
        this.#expected({ ...schema, expects: `${schema.expects ?? 'a number'}, at least ${least}` }, node, label)
    }
    if (typeof value !== 'string') return
    const pattern = schema['pattern'] as string | undefined
    const tooLong = value.length > ((schema['maxLength'] as number | undefined) ?? Infinity)
    if ((pattern !== undefined && !new RegExp(pattern, 'u').test(value)) || tooLong) {
      const example = schema.example === undefined ? '' : `, such as ${JSON.stringify(schema.example)}`
      this.report(
        node,
        this.#rules.invalidName,
        `${label} must be ${schema.expects}${pattern ? ` (${pattern})` : ''}${example}; it is ${shorten(value)}`
      )
    }
  }
}

function shapeOf(schema: TSchema): string {
  const type = schema['type'] as string | undefined
  return type ?? typeof (schema['const'] as unknown)
}

function shapeOfValue(value: unknown): string {
  return Array.isArray(value) ? 'array' : value === null ? 'null' : typeof value
}

function shorten(text: string): string {
  return JSON.stringify(text.length > 60 ? `${[...text].slice(0, 57).join('')}…` : text)
}

function describe(value: unknown): string {
  if (value === null || value === undefined) return 'empty'
  if (typeof value === 'string') return shorten(value)
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list'
  if (isObject(value)) return Object.keys(value).length === 0 ? 'an empty object' : 'an object'
  return String(value)
}

/**
 * Is this the `x-agent` of another vocabulary? Several vocabularies share the key. Its shape tells: mostly fields that
 * this one does not know, and that are no slips of the pen either.
 */
export function looksForeign(scope: Scope, value: unknown): boolean {
  if (!isObject(value)) return false
  const known = Object.keys(definitions[scope].properties)
  const names = Object.keys(value)
  const unknown = names.filter((n) => !known.includes(n))
  const slips = unknown.filter((n) => nearest(n, known) !== undefined)
  return (
    unknown.length >= 2 && unknown.length > 2 * (names.length - unknown.length) && slips.length * 2 < unknown.length
  )
}

/** Does this `x-agent` speak this vocabulary: some field of it, none or few others? */
export function looksOwn(scope: Scope, value: unknown): boolean {
  if (Array.isArray(value)) return true
  if (!isObject(value)) return false
  const known = Object.keys(definitions[scope].properties)
  return Object.keys(value).some((n) => known.includes(n)) && !looksForeign(scope, value)
}
