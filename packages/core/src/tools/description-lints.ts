import { at, isObject, type Node } from '../source/workspace.js'
import { allowedValues, isArraySchema, listOf } from '../openapi/schema.js'
import type { Diagnostic } from '../diagnostics.js'
import { allTexts } from '../vocabulary/localized.js'
import type { JsonSchema } from './types.js'

/** A description that the annotation wrote for an argument, with the schema that the argument ends up with. */
export interface AuthoredDescription {
  /** The description, a text or a locale map. */
  node: Node
  argument: string
  schema: JsonSchema
}

/** Rule ids of the annotation lint. */
export const DESCRIPTION_LINTS = [
  'scalar-example-for-array',
  'comma-separated-array',
  'quoted-value-not-in-enum'
] as const

/**
 * Where an authored description and the schema beside it disagree mechanically, so that a model which follows the words is
 * refused by the validation (x-agent vocabulary, "Annotation lint").
 */
export function lintDescription({ node, argument, schema }: AuthoredDescription): Diagnostic[] {
  const findings: Diagnostic[] = []
  for (const { path, text } of allTexts(node.value)) {
    const report = (rule: (typeof DESCRIPTION_LINTS)[number], message: string): void => {
      findings.push(at(node, { rule, severity: 'error', message, ...(path.length > 0 && { within: path }) }))
    }
    const quoted = quotedValues(text)
    const isArray = isArraySchema(schema)
    const allowed = enumOf(schema)
    if (isArray) {
      const scalar = scalarExample(text, quoted, allowed)
      if (scalar !== undefined) {
        report(
          'scalar-example-for-array',
          `the description of "${argument}" shows the scalar ${JSON.stringify(scalar)}, but the parameter is an array; write [${JSON.stringify(scalar)}]`
        )
      }
      const words = commaSeparated(text)
      if (words !== undefined) {
        report(
          'comma-separated-array',
          `the description of "${argument}" says ${JSON.stringify(words)}, but the parameter is an array; a string is refused`
        )
      }
    }
    if (allowed) {
      const wrong = [...new Set(quoted.map((q) => q.value))].filter((value) => !allowed.has(value))
      if (wrong.length > 0) {
        report(
          'quoted-value-not-in-enum',
          `the description of "${argument}" quotes ${wrong.map((v) => JSON.stringify(v)).join(', ')}, which the enum does not allow; it allows ${[...allowed].slice(0, 12).join(', ')}`
        )
      }
    }
  }
  return findings
}

interface Quoted {
  value: string
  start: number
}

/**
 * Quoted runs of 1 to 60 characters. An apostrophe is no quotation mark: a single quote opens only behind a space or an
 * opening sign and closes only before a space or a closing sign.
 */
function quotedValues(text: string): Quoted[] {
  const found: Quoted[] = []
  const pattern =
    /"([^"\n]{1,60})"|“([^”\n]{1,60})”|(?<![\p{L}\p{N}_'"])'([^'"\s](?:[^'"\n]{0,58}[^'"\s])?)'(?![\p{L}\p{N}_'"])/gu
  for (const match of text.matchAll(pattern)) {
    found.push({ value: (match[1] ?? match[2] ?? match[3])!, start: match.index })
  }
  return found
}

function enumOf(schema: JsonSchema): Set<string> | undefined {
  const items = [schema, ...listOf(schema['allOf'])].map((part) => (isObject(part) ? part['items'] : undefined))
  const values = [schema, ...items].map((part) => allowedValues(part)).find((found) => found !== undefined)
  if (!values || values.length === 0) return undefined
  return new Set(values.map((v) => (typeof v === 'string' ? v : JSON.stringify(v))))
}

const EXAMPLE_MARK =
  /(e\.g|for example|for instance|example|such as|exemple|p\. ?ex|comme|z\. ?b|beispiel)[^"'“]{0,12}$/i

/** A quoted scalar that reads as an example. The list of what an enum allows is none, unless it is called one. */
function scalarExample(text: string, quoted: Quoted[], allowed: Set<string> | undefined): string | undefined {
  if (/\[\s*["'“]/.test(text)) return undefined
  return quoted.find((q) => !allowed?.has(q.value) || EXAMPLE_MARK.test(text.slice(0, q.start)))?.value
}

const COMMA_SEPARATED =
  /comma[\s\-\u2010-\u2013]*(separated|delimited)|(separated|delimited)\s+(by|with)\s+(a\s+)?commas?|séparée?s?\s+par\s+(des|une|la)\s+virgules?/giu

/** The words that promise a text with commas, as they are written. */
function commaSeparated(text: string): string | undefined {
  for (const match of text.matchAll(COMMA_SEPARATED)) {
    const before = text.slice(Math.max(0, match.index - 30), match.index)
    if (!/(\bnot\b|\bnever\b|rather than|instead of|\bno\b|\bpas\b)[^.;,]*$/i.test(before)) return match[0]
  }
  return undefined
}
