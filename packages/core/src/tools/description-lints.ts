import { jsonOf } from '../source/json-of.js'
import { at, isObject, type Node } from '../source/workspace.js'
import { allowedValues, isArraySchema, listOf } from '../openapi/schema.js'
import type { Diagnostic } from '../diagnostics.js'
import { withEdits, type TextEdit } from '../source/text.js'
import { allTexts } from '../vocabulary/localized.js'
import { nearest } from '../vocabulary/suggestions.js'
import { asArrays, asList, withOthers, type Quoted } from './description-rewording.js'
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
    const report = (
      rule: (typeof DESCRIPTION_LINTS)[number],
      message: string,
      more: Pick<Diagnostic, 'rewording' | 'suggestion'> = {}
    ): void => {
      findings.push(at(node, { rule, severity: 'error', message, ...more, ...(path.length > 0 && { within: path }) }))
    }
    const quoted = quotedValues(text)
    const isArray = isArraySchema(schema)
    const allowed = enumOf(schema)
    if (isArray) {
      const scalars = scalarExamples(text, quoted, allowed)
      if (scalars.length > 0) {
        const scalar = JSON.stringify(scalars[0]!.value)
        report(
          'scalar-example-for-array',
          `the description of "${argument}" shows the scalar ${scalar}, but the parameter is an array; write [${scalar}]`,
          { rewording: asArrays(scalars) }
        )
      }
      const promises = commaSeparated(text)
      if (promises.length > 0) {
        const { start, end } = promises[0]!
        const rewording = withoutCommas(text, promises)
        report(
          'comma-separated-array',
          `the description of "${argument}" says ${JSON.stringify(text.slice(start, end))}, but the parameter is an array; a string is refused`,
          { ...(rewording && { rewording }) }
        )
      }
    }
    if (allowed) {
      const wrong = [...new Set(quoted.map((q) => q.value))].filter((value) => !allowed.has(value))
      if (wrong.length > 0) {
        const meant = new Map(wrong.flatMap((value) => entryOf(value, nearest(value, [...allowed]))))
        const isMendable = meant.size === wrong.length
        report(
          'quoted-value-not-in-enum',
          `the description of "${argument}" quotes ${wrong.map((v) => JSON.stringify(v)).join(', ')}, which the enum does not allow; it allows ${[...allowed].slice(0, 12).join(', ')}`,
          {
            ...(isMendable && { rewording: withOthers(quoted, meant) }),
            ...(isMendable && meant.size === 1 && { suggestion: meant.get(wrong[0]!)! })
          }
        )
      }
    }
  }
  return findings
}

function entryOf(key: string, value: string | undefined): [string, string][] {
  return value === undefined ? [] : [[key, value]]
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
    const { index } = match
    found.push({ value: (match[1] ?? match[2] ?? match[3])!, start: index, end: index + match[0].length })
  }
  return found
}

function enumOf(schema: JsonSchema): Set<string> | undefined {
  const items = [schema, ...listOf(schema['allOf'])].map((part) => (isObject(part) ? part['items'] : undefined))
  const values = [schema, ...items].map((part) => allowedValues(part)).find((found) => found !== undefined)
  if (!values || values.length === 0) return undefined
  return new Set(values.map((v) => (typeof v === 'string' ? v : jsonOf(v))))
}

const EXAMPLE_MARK =
  /(e\.g|for example|for instance|example|such as|exemple|p\. ?ex|comme|z\. ?b|beispiel)[^"'“]{0,12}$/i

/** Quoted scalars that read as examples. The list of what an enum allows is none, unless it is called one. */
function scalarExamples(text: string, quoted: Quoted[], allowed: Set<string> | undefined): Quoted[] {
  if (/\[\s*["'“]/.test(text)) return []
  return quoted.filter((q) => !allowed?.has(q.value) || EXAMPLE_MARK.test(text.slice(0, q.start)))
}

const COMMA_SEPARATED =
  /comma[\s\-\u2010-\u2013]*(separated|delimited)|(separated|delimited)\s+(by|with)\s+(a\s+)?commas?|séparée?s?\s+par\s+(des|une|la)\s+virgules?/giu

/** Where words stand that promise a text with commas. */
function commaSeparated(text: string): { start: number; end: number }[] {
  return [...text.matchAll(COMMA_SEPARATED)].flatMap(({ index, 0: words }) => {
    const before = text.slice(Math.max(0, index - 30), index)
    const isDenied = /(\bnot\b|\bnever\b|rather than|instead of|\bno\b|\bpas\b)[^.;,]*$/i.test(before)
    return isDenied ? [] : { start: index, end: index + words.length }
  })
}

/** Words that promise a list instead, where there are some for all of them. */
function withoutCommas(text: string, promises: { start: number; end: number }[]): TextEdit[] | undefined {
  const rewording = promises.flatMap((words) => asList(text, words) ?? [])
  return rewording.length === promises.length && commaSeparated(withEdits(text, rewording)).length === 0
    ? rewording
    : undefined
}
