import type { Diagnostic } from '../diagnostics.js'
import type { Operation } from '../openapi/operations.js'
import type { Dialect } from '../openapi/schema.js'
import type { SourceDocument } from '../source/document.js'
import type { JsonObject, Node, ProblemReport, Workspace } from '../source/workspace.js'
import type { OperationAnnotation } from '../vocabulary/definitions.js'

/** What the parts of a tool are made from: one view of an annotated operation, in one locale. */
export interface ToolContext {
  workspace: Workspace
  /** The document that was loaded; the operation may be written in another one. */
  document: SourceDocument
  dialect: Dialect
  operation: Operation
  /** The annotation as written, for places. */
  view: Node<JsonObject>
  /** The annotation without what is wrong in it. */
  annotation: OperationAnnotation
  toolName: string
  locale: string
  report(finding: Diagnostic): void
  onProblem: ProblemReport
  /** Fields of the rows, or of the response where it has no rows. Excluded ones are left out. */
  responseFields(): string[]
}
