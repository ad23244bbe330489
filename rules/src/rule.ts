import type {
  Diagnostic,
  DocumentEditor,
  Inspection,
  Node,
  Severity,
  SourceDocument,
  TextEdit
} from '@openapi-mcp/core'
import type { Static, TObject } from '@sinclair/typebox'
import type { ClientId } from './clients.js'

/** What a rule says of a place. */
export interface Finding {
  message: string
  on?: 'key' | 'value'
  /** Segments below the node, where a smaller place is meant. */
  within?: (string | number)[]
  suggestion?: string
  related?: Diagnostic['related']
  /** Where it differs from that of the rule. */
  severity?: Severity
}

export interface RuleContext<Options = unknown> extends Inspection {
  options: Options
  /** The clients that the tools are meant for. */
  clients: readonly ClientId[]
  /** Sets of profiles that agents are known to ask for, besides each declared profile by itself. */
  profileSets: readonly (readonly string[])[]
  report(node: Node, finding: Finding): void
}

/** A replacement in the text of a document. */
export interface FixEdit extends TextEdit {
  uri: string
}

/** A mend of one finding, for `lint --fix` and quick fixes. */
export interface Fix {
  /** What it does, as a command: "Rename to "description"". */
  title: string
  edits: FixEdit[]
}

export interface FixContext {
  /** The document that was linted. */
  main: SourceDocument
  /** The document in which the finding stands. */
  document: SourceDocument
  /** Makes edits in the text of a document. */
  editor(document: SourceDocument): DocumentEditor
}

/** What a rule is about, with a title for it; the pages and the settings are grouped by it. */
export const categories = {
  document: 'Text, references and OpenAPI',
  vocabulary: 'The vocabulary',
  calls: 'Calls that cannot work',
  drift: 'Annotations and API that drift apart',
  quality: 'What agents read',
  clients: 'What clients accept',
  safety: 'Safety',
  configuration: 'Configuration and suppressions'
} as const

export type Category = keyof typeof categories

/**
 * A rule over the analysed document. Its examples are documents, or the lines of an operation `GET /items/{id}`; they are run as tests:
 * the wrong one has a finding of this rule, the right one has none of any rule.
 */
export interface Rule<Options extends TObject = TObject> {
  id: string
  category: Category
  severity: Severity
  /** What holds where the rule is kept, in one sentence. */
  summary: string
  /** What a user loses where it is not. */
  why: string
  examples: {
    wrong: string
    right: string
    /** Settings under which they are run, where the default ones find nothing. */
    settings?: { clients?: ClientId[]; options?: object; off?: string[] }
  }
  /** Options with their defaults. */
  options?: Options
  /**
   * Found neither by a check nor by the core, but by `lint` itself, which knows what it was asked to hold back, or where the configuration is
   * read. The examples of the latter are configurations, with the name of the file in a comment.
   */
  foundBy?: 'lint' | 'configuration'
  /** Absent where the core finds it, because `load` refuses what breaks the rule. */
  check?(context: RuleContext<Static<Options>>): void
  /** Like `check`, for what has to wait for something heavy. Called once, when all references are read. */
  measure?(context: RuleContext<Static<Options>>): Promise<void>
  /** How a finding is mended; undefined where this one cannot be. */
  fix?(finding: Diagnostic, context: FixContext): Fix | undefined
}

export function defineRule<Options extends TObject>(rule: Rule<Options>): Rule {
  return rule as unknown as Rule
}

/** Does `load` refuse a document that breaks the rule? Then it is the core that finds it. */
export function isRefused({ check, measure, foundBy, severity }: Rule): boolean {
  return !check && !measure && !foundBy && severity === 'error'
}

/** May a configuration set the severity? A mistake in the configuration itself is one under all settings. */
export function isSettable({ foundBy, severity }: Rule): boolean {
  return foundBy !== 'configuration' || severity !== 'error'
}
