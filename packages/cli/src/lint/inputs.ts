import { readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { decodeText, looksLikeOpenApi } from '@openapi-mcp/core'
import { sourceIn } from '../sources.js'

/** What a user named, as documents. */
export interface Inputs {
  /** Absolute paths and addresses, each once, in the order in which they were named. */
  sources: string[]
  /** Sizes in bytes of those that are files. */
  bytes: number
  /** What names nothing, in words. */
  problems: string[]
}

export interface InputOptions {
  cwd: string
  /** Globs of files that are left out unless they are named themselves, relative to `cwd`. */
  ignore?: readonly string[]
}

/** Files that are read to see whether they are documents. */
const EXTENSIONS = '**/*.{yaml,yml,json}'
const NEVER = ['**/node_modules/**', '**/.git/**']
/** Largest file that is looked into, in bytes. */
const LARGEST = 100_000_000

/**
 * The documents behind the arguments of a command: files and addresses as they are, the OpenAPI documents of folders and of what a glob
 * matches. What is found by searching has to look like an OpenAPI document; what is named need not.
 */
export async function findInputs(named: readonly string[], { cwd, ignore = [] }: InputOptions): Promise<Inputs> {
  const sources = new Set<string>()
  const problems: string[] = []
  let bytes = 0
  for (const name of named) {
    const source = sourceIn(cwd, name)
    if (source !== path.resolve(cwd, name)) {
      sources.add(source)
      continue
    }
    const stats = await stat(source).catch(() => undefined)
    if (stats && !stats.isDirectory()) {
      sources.add(source)
      bytes += stats.size
      continue
    }
    if (!stats && !isGlob(name)) {
      sources.add(source)
      continue
    }
    const found = stats
      ? await search([EXTENSIONS], source, [...NEVER, ...ignore])
      : await search([name.replaceAll('\\', '/')], cwd, [...NEVER, ...ignore])
    const documents = await openApiDocuments(found)
    for (const document of documents) {
      sources.add(document.file)
      bytes += document.size
    }
    if (documents.length > 0) continue
    problems.push(
      stats
        ? `there is no OpenAPI document in ${name}`
        : found.length === 0
          ? `no file matches ${name}`
          : `no file that matches ${name} is an OpenAPI document`
    )
  }
  return { sources: [...sources], bytes, problems }
}

function isGlob(name: string): boolean {
  return /[*?{}[\]!]/.test(name)
}

async function search(patterns: string[], cwd: string, ignore: readonly string[]): Promise<string[]> {
  const { glob } = await import('tinyglobby')
  const files = await glob(patterns, {
    cwd,
    ignore: [...ignore],
    absolute: true,
    onlyFiles: true,
    expandDirectories: false
  })
  return files.map((file) => path.resolve(file)).sort()
}

async function openApiDocuments(files: string[]): Promise<{ file: string; size: number }[]> {
  const documents: { file: string; size: number }[] = []
  for (const file of files) {
    const stats = await stat(file).catch(() => undefined)
    if (!stats?.isFile() || stats.size > LARGEST) continue
    const data = await readFile(file).catch(() => undefined)
    if (data && looksLikeOpenApi(textOf(data))) documents.push({ file, size: stats.size })
  }
  return documents
}

function textOf(data: Uint8Array): string {
  try {
    return decodeText(data)
  } catch {
    return ''
  }
}
