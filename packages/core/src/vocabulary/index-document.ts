import { jsonOf } from '../source/json-of.js'
import { DocumentError, type Diagnostic } from '../diagnostics.js'
import type { SourceDocument } from '../source/document.js'
import { child, elements, isObject, type Node, type Workspace } from '../source/workspace.js'
import { IndexDefinition, type SkillAnnotation } from './definitions.js'
import { namesIn, Profiles } from './profiles.js'
import { Checker, checkSkills } from './validate.js'

/** A document that lists the documents to serve together. */
export interface ServiceIndex {
  document: SourceDocument
  /** `openapi` is absolute. */
  services: { id: string; openapi: string }[]
  profiles: Profiles
  skills: SkillAnnotation[]
  /** Findings that did not refuse it. */
  diagnostics: Diagnostic[]
}

/** Is this an index document and no OpenAPI document? */
export function isIndex({ value }: SourceDocument): boolean {
  return isObject(value) && !('openapi' in value) && !('swagger' in value) && 'services' in value
}

/** Reads an index document. Throws a DocumentError that lists everything that is wrong in it. */
export function readIndex(document: SourceDocument, workspace: Workspace): ServiceIndex {
  const root: Node = { document, path: [], value: document.value }
  const profiles = new Profiles(root)
  const diagnostics = [...document.diagnostics]
  const check = new Checker((finding) => diagnostics.push(finding))
  check.value(IndexDefinition, root, 'the index')
  checkSkills(root, check)
  diagnostics.push(...profiles.diagnostics())
  for (const skill of elements(child(root, 'skills'))) {
    const list = child(skill, 'profiles')
    if (list) diagnostics.push(...profiles.undeclared(list, namesIn(list.value)))
  }
  const services = servicesOf(root, workspace, check)
  if (diagnostics.some((d) => d.severity === 'error')) throw new DocumentError(diagnostics)
  const skills = (child(root, 'skills')?.value ?? []) as SkillAnnotation[]
  return { document, services, profiles, skills, diagnostics }
}

function servicesOf(root: Node, workspace: Workspace, check: Checker): ServiceIndex['services'] {
  const seen = new Set<unknown>()
  return elements(child(root, 'services')).flatMap((service) => {
    const id = child(service, 'id')
    if (id && seen.has(id.value))
      check.report(id, 'x-index-duplicate-service', `the id ${jsonOf(id.value)} is given twice`)
    seen.add(id?.value)
    const openapi = child(service, 'openapi')
    if (typeof openapi?.value !== 'string') return []
    const address = addressOf(openapi as Node<string>, workspace)
    if ('problem' in address) {
      check.report(openapi, 'x-index-service-address', `\`openapi\` ${address.problem}`)
      return []
    }
    return [{ id: String(id?.value), openapi: address.uri }]
  })
}

/** Whoever names a local index trusts it with addresses; one from the web leads as far as its references would. */
function addressOf({ document, value }: Node<string>, workspace: Workspace): { uri: string } | { problem: string } {
  if (value === '' || !URL.canParse(value, document.uri)) return { problem: 'must be an address' }
  const { href: uri, protocol } = new URL(value, document.uri)
  if (!['http:', 'https:', 'file:'].includes(protocol)) return { problem: 'must be an http, https or file address' }
  const barrier = /^https?:/i.test(document.uri) ? workspace.barrier(document.uri, uri) : undefined
  return barrier === undefined ? { uri } : { problem: `is not read: ${barrier}` }
}
