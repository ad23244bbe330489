import { SchemaTranslator, type Dialect } from '../openapi/schema.js'
import { SourceDocument } from '../source/document.js'
import type { Node, Workspace } from '../source/workspace.js'
import { INPUT_NODES } from '../tools/input.js'
import type { JsonSchema } from '../tools/types.js'

/** A form schema in its two uses. */
export interface FormSchema {
  /** Self-contained, cycles cut, `layout` keywords kept: what fields there are. */
  fields: JsonSchema
  /** With references, recursion kept: decides what is valid. */
  validation: JsonSchema
}

const KEPT = new Set(['layout', 'x-extension', 'x-refersTo'])

/** The form schema at a node. Throws SchemaTooLarge. Synchronous: see Workspace.settle. */
export function formSchemaAt(node: Node, dialect: Dialect, workspace: Workspace): FormSchema {
  const options = { workspace, dialect, direction: 'input' as const, budget: INPUT_NODES, onProblem: () => {} }
  const inline = new SchemaTranslator({ ...options, form: 'inline', keep: KEPT })
  const linked = new SchemaTranslator({ ...options, form: 'refs' })
  return { fields: inline.translate(node), validation: linked.withDefs(linked.translate(node)) }
}

/** The form schema that a service answered. It has no address, so that its references lead into itself only. */
export function formSchemaOf(value: unknown, workspace: Workspace): FormSchema {
  const document = new SourceDocument('inline:form-schema', { value })
  return formSchemaAt({ document, path: [], value }, '2020-12', workspace)
}
