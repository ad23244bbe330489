export {
  atLeast,
  DocumentError,
  findingKey,
  displayUri,
  parsePointer,
  toJsonPath,
  toPointer,
  UsageError
} from './diagnostics.js'
export type { Diagnostic, JsonPath, RelatedLocation, Severity } from './diagnostics.js'
export type { Host } from './source/host.js'
export { commentsOf, type Comment } from './source/comments.js'
export { looksLikeOpenApi } from './source/detect.js'
export { SourceDocument, parseDocument } from './source/document.js'
export { documentEditors } from './source/editing.js'
export type { DocumentEditor } from './source/edits.js'
export { jsonOf } from './source/json-of.js'
export { LineIndex, decodeText, withEdits } from './source/text.js'
export type { Position, Range, Span, TextEdit } from './source/text.js'
export { createSession, Session } from './session.js'
export type { DocumentInfo, Inspection, InspectionRules, SessionOptions, ToolSetOptions } from './session.js'
export { profilesOf, isSelected, type Analysis, type Tag } from './analysis.js'
export type { AnnotationPlace } from './vocabulary/scan.js'
export { allTexts, localizedText } from './vocabulary/localized.js'
export {
  jsonContent,
  parametersOf,
  requestBodyOf,
  successOf,
  type Operation,
  type Parameter
} from './openapi/operations.js'
export type { ToolDefinition, View } from './tools/tool.js'
export { at, child, elements, isObject, members, type Node, type Workspace } from './source/workspace.js'
export { schemaCursor } from './tools/node-cursor.js'
export { SCHEMA_LISTS, SCHEMA_MAPS, SCHEMA_SINGLES } from './openapi/schema-keywords.js'
export { allowedValues, isArraySchema } from './openapi/schema.js'
export { inputSchemaAt, overridesOf, schemaNodeOf, type Overrides } from './tools/overrides.js'
export { valueCheck, type ValueCheck } from './tools/value-check.js'
export { DESCRIPTION_LINTS } from './tools/description-lints.js'
export { didYouMean, isSlip } from './vocabulary/suggestions.js'
export type { LoadOptions } from './load.js'
export { toolSetSnapshot } from './tools/snapshot.js'
export type {
  ArgumentTarget,
  CallContext,
  JsonSchema,
  ParameterLocation,
  ParameterTarget,
  ResponsePlan,
  Skill,
  Tool,
  ToolAnnotations,
  ToolOperation,
  ToolResult,
  ToolSet
} from './tools/types.js'
export { checkShape, type ShapeRules } from './vocabulary/validate.js'
export { definitions, placeOf, vocabularySchema } from './vocabulary/definitions.js'
export type {
  LocalizedText,
  OperationAnnotation,
  ParameterAnnotation,
  PropertyAnnotation,
  RootAnnotation,
  Scope,
  SkillAnnotation,
  TagAnnotation
} from './vocabulary/definitions.js'
export { typeText } from './tools/compact-listing.js'
export { nearest } from './vocabulary/suggestions.js'
export { isCallerHeader, isSecretHeader, toCurl, type HttpRequest } from './tools/request.js'
export { toAiSdkTools, type AiSdkTool } from './tools/ai-sdk.js'
export { instructionsOf, skillOf } from './tools/skills.js'
export { isIndex, readIndex, type ServiceIndex } from './vocabulary/index-document.js'
