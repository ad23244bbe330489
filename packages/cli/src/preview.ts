import { access } from 'node:fs/promises'
import { join } from 'node:path'
import {
  displayUri,
  DocumentError,
  nearest,
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
import { count, painter, relativeTo } from './terminal.js'
import { tokenCounter } from './token-count.js'

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
  total: number
  /** Only this tool, whole. */
  only: Tool | undefined
}

/** `openapi-mcp preview`: what an agent gets. Gives the exit code. */
export async function preview(
  source: string | undefined,
  options: PreviewOptions,
  io: Io,
  createSession: CreateSession
): Promise<number> {
  const file = source ?? (await defaultDocument(io))
  const session = createSession(options)
  if (options.watch) {
    const { watchPreview } = await import('./watch.js')
    return watchPreview(io, session, () => draw(file, options, io, session))
  }
  return (await draw(file, options, io, session)).code
}

const DEFAULT_NAMES = ['openapi.yaml', 'openapi.yml', 'openapi.json']

async function defaultDocument(io: Io): Promise<string> {
  for (const name of DEFAULT_NAMES) {
    const path = join(io.cwd, name)
    const found = await access(path).then(
      () => true,
      () => false
    )
    if (!found) continue
    io.stderr(`openapi-mcp: showing ${name}\n`)
    return path
  }
  throw new UsageError(
    `name a document; there is no ${DEFAULT_NAMES.slice(0, -1).join(', ')} or ${DEFAULT_NAMES.at(-1)} in this folder`
  )
}

/** Draws one preview. A refused document draws its findings. Gives the files that the picture depends on. */
async function draw(
  file: string,
  options: PreviewOptions,
  io: Io,
  session: Session
): Promise<{ code: number; documents: string[] }> {
  const paint = painter(io, options.color)
  const findings = (diagnostics: Diagnostic[]): string =>
    `${stylishFindings(placed(diagnostics, session, io.cwd), session, io.cwd, paint)}\n`
  try {
    const { toolSet, documents } = await session.toolSet(file, toolSetOptions(options))
    const made = await makePreview(file, toolSet, options, io, session)
    io.stdout(await drawn(made, options, io))
    if (toolSet.diagnostics.length > 0) io.stderr(`\n${findings(toolSet.diagnostics)}`)
    return { code: EXIT.clean, documents }
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error
    const errors = error.diagnostics.filter((d) => d.severity === 'error').length
    io.stderr(
      `${findings(error.diagnostics)}\n${paint.red('✖')} ${count(errors, 'error')}: no tools until ${errors === 1 ? 'it is' : 'they are'} mended\n`
    )
    const { documents } = await session.lint(file)
    return { code: EXIT.findings, documents }
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
  file: string,
  toolSet: ToolSet,
  options: PreviewOptions,
  io: Io,
  session: Session
): Promise<Preview> {
  const [info, countTokens, document] = await Promise.all([session.info(file), tokenCounter(), session.open(file)])
  const tokens = new Map(toolSet.tools.map((tool) => [tool, countTokens(tool)]))
  return {
    info,
    file: relativeTo(io.cwd, displayUri(document.uri)),
    toolSet,
    tokens,
    total: [...tokens.values()].reduce((sum, n) => sum + n, 0),
    only: options.tool === undefined ? undefined : toolNamed(options.tool, toolSet)
  }
}

function toolNamed(name: string, { tools }: ToolSet): Tool {
  const tool = tools.find((t) => t.name === name) ?? tools.find((t) => t.name.endsWith(`_${name}`))
  if (tool) return tool
  const names = tools.map((t) => t.name)
  const near = nearest(name, names)
  const help = near === undefined ? '' : `; did you mean "${near}"?`
  const list = names.length === 0 ? 'There are no tools in these profiles.' : `The tools are ${names.join(', ')}.`
  throw new UsageError(`there is no tool ${JSON.stringify(name)}${help} ${list}`)
}

async function drawn(made: Preview, options: PreviewOptions, io: Io): Promise<string> {
  if (options.format === 'json') return (await import('./preview-json.js')).previewJson(made)
  if (options.format === 'markdown') return (await import('./preview-markdown.js')).previewMarkdown(made)
  return (await import('./preview-text.js')).previewText(made, io, painter(io, options.color))
}
