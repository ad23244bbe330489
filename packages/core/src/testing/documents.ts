import { createSession, type Session } from '../session.js'
import { toPointer, type Diagnostic } from '../diagnostics.js'
import type { Host } from '../source/host.js'
import type { ToolSetOptions } from '../session.js'
import type { Tool, ToolSet } from '../tools/types.js'

/** A host whose files are texts in memory, at `file:///api/<name>`. */
export function memoryHost(files: Record<string, string>): Host {
  return {
    readFile: (uri) => {
      const text = files[uri.replace('file:///api/', '')]
      return text === undefined
        ? Promise.reject(Object.assign(new Error('missing'), { code: 'ENOENT' }))
        : Promise.resolve(text)
    }
  }
}

/** A session over texts; `main` is `openapi.yaml`. */
export function sessionOf(files: string | Record<string, string>): { session: Session; main: string } {
  const all = typeof files === 'string' ? { 'openapi.yaml': files } : files
  return { session: createSession(memoryHost(all)), main: `file:///api/${Object.keys(all)[0]}` }
}

/** The findings of a document, one line each: `line:column severity rule /pointer`. Lines and columns count from 1. */
export async function findings(files: string | Record<string, string>): Promise<string[]> {
  const { session, main } = sessionOf(files)
  const { diagnostics } = await session.lint(main)
  return diagnostics.map((d) => lineOf(session, d, main))
}

export async function diagnosticsOf(files: string | Record<string, string>): Promise<Diagnostic[]> {
  const { session, main } = sessionOf(files)
  return (await session.lint(main)).diagnostics
}

function lineOf(session: Session, d: Diagnostic, main: string): string {
  const start = session.rangeOf(d)?.start
  const file = d.uri === main ? '' : `${d.uri.replace('file:///api/', '')}:`
  return `${file}${start ? `${start.line + 1}:${start.character + 1}` : '-'} ${d.severity} ${d.rule} ${toPointer(d.path)}`
}

export async function toolSetOf(files: string | Record<string, string>, options?: ToolSetOptions): Promise<ToolSet> {
  const { session, main } = sessionOf(files)
  return (await session.toolSet(main, options)).toolSet
}

/** The only tool of a document. */
export async function toolOf(files: string | Record<string, string>, options?: ToolSetOptions): Promise<Tool> {
  const { tools } = await toolSetOf(files, options)
  if (tools.length !== 1) throw new Error(`expected one tool, got ${tools.map((t) => t.name).join(', ')}`)
  return tools[0]!
}

/** A document around one annotated operation; `operation` and `more` are YAML lines. */
export function documentOf(
  operation: string,
  { more = '', version = '3.1.0', root = 'profiles: { explore: {} }' } = {}
): string {
  const indent = (text: string, spaces: number): string =>
    text
      .trim()
      .split('\n')
      .map((line) => ' '.repeat(spaces) + line)
      .join('\n')
  return `openapi: ${version}
info: { title: Shop, version: '1' }
servers: [{ url: 'https://shop.example/api' }]
x-agent: { ${root} }
paths:
  /items/{id}:
    get:
${indent(operation, 6)}
      responses: { '200': { description: ok } }
${more}`
}
