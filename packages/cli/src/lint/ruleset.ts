import fs from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'
import {
  displayUri,
  UsageError,
  type Diagnostic,
  type Session,
  type Severity,
  type SourceDocument
} from '@openapi-mcp/core'
import { rules } from '@openapi-mcp/rules'

/** What is used of Spectral. Its packages are optional, and not bundled: they bring two hundred others. */
interface SpectralPackages {
  core: typeof import('@stoplight/spectral-core')
  parsers: typeof import('@stoplight/spectral-parsers')
  loader: typeof import('@stoplight/spectral-ruleset-bundler/with-loader')
  commonjs: typeof import('@stoplight/spectral-ruleset-bundler/plugins/commonjs')
  references: typeof import('@stoplight/spectral-ref-resolver')
}

const NEEDED = ['@stoplight/spectral-core', '@stoplight/spectral-parsers', '@stoplight/spectral-ruleset-bundler']

const SEVERITIES: Severity[] = ['error', 'warning', 'info', 'hint']

/**
 * What a team's own Spectral ruleset finds in a document, beside the rules that run anyway. References are followed within the limits of the
 * session. Throws a UsageError where the ruleset cannot be used.
 */
export async function runRuleset(file: string, source: SourceDocument, session: Session): Promise<Diagnostic[]> {
  if (source.text === undefined) return []
  const packages = spectralPackages()
  const ruleset = await rulesetOf(file, packages)
  const { core, parsers, references } = packages
  const spectral = new core.Spectral({ resolver: resolverOf(source, session, references) })
  spectral.setRuleset(ruleset)
  const parser = /\.json$/i.test(source.uri) ? parsers.Json : parsers.Yaml
  const name = source.uri.startsWith('file:') ? fileURLToPath(source.uri) : source.uri
  const results = await spectral.run(new core.Document(source.text, parser as never, name))
  return results
    .filter(({ code }) => code !== 'parser')
    .map(({ code, severity, message, path, source: where }) => ({
      rule: String(code),
      severity: SEVERITIES[severity] ?? 'warning',
      message,
      uri: where === undefined || where === name ? source.uri : uriOf(where),
      path
    }))
}

function uriOf(source: string): string {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(source) ? source : pathToFileURL(source).href
}

function spectralPackages(): SpectralPackages {
  const require = createRequire(import.meta.url)
  // Set before Spectral is loaded: one of its packages reports installations.
  process.env['SCARF_ANALYTICS'] ??= 'false'
  try {
    return {
      core: require('@stoplight/spectral-core') as SpectralPackages['core'],
      parsers: require('@stoplight/spectral-parsers') as SpectralPackages['parsers'],
      loader: require('@stoplight/spectral-ruleset-bundler/with-loader') as SpectralPackages['loader'],
      commonjs: require('@stoplight/spectral-ruleset-bundler/plugins/commonjs') as SpectralPackages['commonjs'],
      references: createRequire(require.resolve('@stoplight/spectral-core'))(
        '@stoplight/spectral-ref-resolver'
      ) as SpectralPackages['references']
    }
  } catch (error) {
    if ((error as { code?: string }).code !== 'MODULE_NOT_FOUND') throw error
    throw new UsageError(`a Spectral ruleset needs Spectral: npm install --save-dev ${NEEDED.join(' ')}`)
  }
}

type SpectralRuleset = Awaited<ReturnType<SpectralPackages['loader']['bundleAndLoadRuleset']>>

const loaded = new Map<string, Promise<SpectralRuleset>>()

function rulesetOf(file: string, packages: SpectralPackages): Promise<SpectralRuleset> {
  const known = loaded.get(file) ?? load(file, packages)
  loaded.set(file, known)
  return known
}

async function load(file: string, { loader, commonjs }: SpectralPackages): Promise<SpectralRuleset> {
  if (!fs.existsSync(file)) throw new UsageError(`${file} cannot be read: there is no such file`)
  try {
    const io = { fs, fetch: refused as typeof fetch }
    const ruleset = await loader.bundleAndLoadRuleset(file, io, [commonjs.commonjs()])
    // Where the ruleset extends ours, these rules have run already.
    const own = new Set(rules.map(({ id }) => id))
    for (const [name, rule] of Object.entries(ruleset.rules)) {
      if (own.has(name) || own.has(name.replace(/-(error|warning|info|hint)$/, ''))) rule.enabled = false
    }
    return ruleset
  } catch (error) {
    throw new UsageError(`the ruleset ${file} cannot be used: ${messageOf(error)}`)
  }
}

function refused(): Promise<never> {
  return Promise.reject(new Error('rulesets are not taken from the web'))
}

/** Several mistakes in a ruleset come as one error that holds the others. */
function messageOf(error: unknown): string {
  const inner = (error as { errors?: unknown[] }).errors
  if (Array.isArray(inner) && inner.length > 0) return inner.map(messageOf).join('; ')
  return error instanceof Error ? error.message : String(error)
}

/** References as the session follows them: no file from outside the root, nothing from elsewhere on the web. */
function resolverOf(source: SourceDocument, session: Session, { Resolver }: SpectralPackages['references']): never {
  const read = async (uri: { href(): string; toString(): string }): Promise<string> => {
    const address = uri.href()
    const target = /^https?:/i.test(address) ? address : pathToFileURL(address.replace(/^file:\/\//, '')).href
    const barrier = session.workspace.barrier(source.uri, target)
    if (barrier) throw new Error(`${displayUri(target)} is not followed: ${barrier}`)
    if (/^https?:/i.test(target)) return (await session.workspace.open(target)).text ?? ''
    return readFile(fileURLToPath(target), 'utf8')
  }
  const resolve = { resolve: read }
  return new Resolver({ resolvers: { file: resolve, http: resolve, https: resolve } } as never) as never
}
