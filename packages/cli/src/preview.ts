import {
  displayUri,
  DocumentError,
  UsageError,
  type Diagnostic,
  type DocumentInfo,
  type Session,
  type Tool,
  type ToolSet,
  type ToolSetOptions
} from '@openapi-mcp/core'
import type { CreateSession, DocumentOptions } from './cli.js'
import { placed, stylishFindings } from './findings.js'
import { EXIT, type Io } from './io.js'
import { defaultDocument, sessionOptions, sourceIn } from './sources.js'
import { count, painter, relativeTo, safeLine, widthOf } from './terminal.js'
import { definitionOf, tokenCounter } from '@openapi-mcp/rules'
import { findTool, unknownToolText } from './tool-names.js'

export interface PreviewOptions extends DocumentOptions {
  profile: string[]
  locale: string
  tool?: string
  format: 'text' | 'json' | 'markdown'
  watch?: boolean
  namePrefix?: string
  lint: 'error' | 'warn' | 'off'
}

/** What a preview shows, before it is drawn in one form or another. */
export interface Preview {
  info: DocumentInfo
  file: string
  toolSet: ToolSet
  /** Tokens of each tool definition, estimated. */
  tokens: Map<Tool, number>
  /** Those of all tool definitions. */
  total: number
  instructionTokens: number
  /** Only this tool, whole. */
  only: Tool | undefined
}

/** One picture, not yet shown. */
export interface Drawing {
  code: number
  stdout: string
  stderr: string
  /** Addresses that the picture depends on. */
  documents: string[]
}

/** `openapi-mcp preview`: what an agent gets. Gives the exit code. */
export async function preview(
  named: string | undefined,
  options: PreviewOptions,
  io: Io,
  createSession: CreateSession
): Promise<number> {
  const source = named === undefined ? await defaultDocument(io) : sourceIn(io.cwd, named)
  const session = createSession(sessionOptions(options, io))
  if (options.watch) {
    const { watchPreview } = await import('./watch.js')
    return watchPreview(io, session, painter(io, options.color), () => draw(source, options, io, session))
  }
  const { code, stdout, stderr } = await draw(source, options, io, session)
  if (stdout !== '') io.stdout(stdout)
  if (stderr !== '') io.stderr(stderr)
  return code
}

/** Draws one preview. Of a refused document it draws the findings. */
async function draw(source: string, options: PreviewOptions, io: Io, session: Session): Promise<Drawing> {
  const paint = painter(io, options.color)
  const findings = (diagnostics: Diagnostic[]): string =>
    `${stylishFindings(placed(diagnostics, session, io.cwd), paint, widthOf(io))}\n`
  try {
    const { toolSet, documents } = await session.toolSet(source, toolSetOptions(options))
    const made = await makePreview(source, toolSet, options, io, session)
    const warnings = toolSet.diagnostics.length > 0 ? `\n${findings(toolSet.diagnostics)}` : ''
    return {
      code: EXIT.clean,
      stdout: await drawn(made, options, io),
      stderr: warnings + localeNote(options.locale, made.info.locales),
      documents
    }
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error
    const errors = error.diagnostics.filter((d) => d.severity === 'error').length
    const summary = `${paint.red('✖')} ${count(errors, 'error')}: no tools until ${errors === 1 ? 'it is' : 'they are'} mended\n`
    const { documents } = await session.lint(source)
    return { code: EXIT.findings, stdout: '', stderr: `${findings(error.diagnostics)}\n${summary}`, documents }
  }
}

function toolSetOptions(options: PreviewOptions): ToolSetOptions {
  return {
    ...(options.profile.length > 0 && { profiles: options.profile }),
    locale: options.locale,
    lint: options.lint,
    ...(options.namePrefix !== undefined && { namePrefix: options.namePrefix })
  }
}

async function makePreview(
  source: string,
  toolSet: ToolSet,
  options: PreviewOptions,
  io: Io,
  session: Session
): Promise<Preview> {
  const info = await session.info(source)
  const prefix = options.namePrefix ?? info.namePrefix
  const only = options.tool === undefined ? undefined : findTool(options.tool, toolSet.tools, prefix)
  if (options.tool !== undefined && !only)
    throw await unknownTool(options.tool, toolSet, source, options, info, session, prefix)
  const [tokensOf, { uri }] = await Promise.all([tokenCounter(), session.open(source)])
  const tokens = new Map(toolSet.tools.map((tool) => [tool, tokensOf(JSON.stringify(definitionOf(tool)))]))
  return {
    info,
    file: relativeTo(io.cwd, displayUri(uri)),
    toolSet,
    tokens,
    total: [...tokens.values()].reduce((sum, n) => sum + n, 0),
    instructionTokens: tokensOf(toolSet.instructions),
    only
  }
}

/** Says what was probably meant: a tool of another profile, or a name that is alike. */
async function unknownTool(
  name: string,
  { tools }: ToolSet,
  source: string,
  options: PreviewOptions,
  { profiles }: DocumentInfo,
  session: Session,
  prefix: string
): Promise<UsageError> {
  const everything = { ...toolSetOptions(options), profiles: profiles.map((p) => p.name) }
  // Profiles that no one asks for together may not fit together: then there is nothing to say about them.
  const whole = await session.toolSet(source, everything).catch(() => undefined)
  const elsewhere = whole && findTool(name, whole.toolSet.tools, prefix)
  if (elsewhere && elsewhere.profiles !== true)
    return new UsageError(`${elsewhere.name} is a tool of the profile ${elsewhere.profiles.join(', ')}: add --profile`)
  return new UsageError(unknownToolText(name, tools, prefix))
}

function localeNote(locale: string, used: string[]): string {
  if (used.length === 0 || used.includes(locale) || locale === 'en') return ''
  return safeLine(`openapi-mcp: no text in the locale "${locale}"; the document has ${used.join(', ')}`) + '\n'
}

async function drawn(made: Preview, options: PreviewOptions, io: Io): Promise<string> {
  if (options.format === 'json') return (await import('./preview-json.js')).previewJson(made)
  if (options.format === 'markdown') return (await import('./preview-markdown.js')).previewMarkdown(made)
  return (await import('./preview-text.js')).previewText(made, io, painter(io, options.color))
}
