import type { ToolResult } from '../tools/types.js'
import type { formatErrors } from '../tools/validate-arguments.js'
import type { Form } from './form.js'
import type { Field, Suggestion } from './layout.js'

const LONGEST_HELP = 200
const MOST_SUGGESTIONS = 100

/** How forms are told of. */
export interface Wording {
  formatErrors: typeof formatErrors
  truncate(text: string, length: number): string
  maxStringLength: number
}

/** One line for each field, below a path where one is given. */
export function describeForm(form: Form, below: string, words: Wording): string {
  const fields = form.fields().filter((f) => below === '' || f.path === below || f.path.startsWith(`${below}/`))
  const lines = fields.map((field) => fieldLine(field, form, words))
  const listed =
    lines.length > 0 ? lines : ['- no fields are declared; getData shows the document, setData replaces it']
  return [...listed, '', statusOf(form, words)].join('\n')
}

/** Is the form ready to be saved, and if not, why? */
export function statusOf(form: Form, { formatErrors }: Wording): string {
  return form.errors.length === 0 ? 'The form is valid.' : formatErrors('Not valid yet', form.errors)
}

export function describeSuggestions(path: string, items: Suggestion[]): ToolResult {
  if (items.length === 0) return { text: `${path} lists no values: whatever its type allows can be set` }
  const lines = items
    .slice(0, MOST_SUGGESTIONS)
    .map(({ value, title }) => `- ${JSON.stringify(value)}${title === String(value) ? '' : ` — ${title}`}`)
  if (items.length > MOST_SUGGESTIONS)
    lines.push(`… and ${items.length - MOST_SUGGESTIONS} more; narrow with \`query\``)
  return { text: lines.join('\n') }
}

function fieldLine(field: Field, form: Form, words: Wording): string {
  const { path, type, label, help, required, value, hasItems, variants } = field
  const facts = [type, required && 'required', hasItems && 'has suggestions'].filter(Boolean).join(', ')
  const about = [label, help && words.truncate(help.replace(/\s+/g, ' '), LONGEST_HELP)].filter(Boolean).join('. ')
  const choice = variants?.map((v) => `${v.index}: ${v.title}${v.selected ? ' (chosen)' : ''}`).join('; ')
  const shown =
    choice ?? (value === undefined ? 'not set' : words.truncate(JSON.stringify(value), words.maxStringLength))
  const errors = form.errors.filter((e) => e.path === path).map((e) => ` ! ${e.message} (${e.keyword})`)
  return `- ${path} (${facts}): ${shown}${about === '' ? '' : ` — ${about}`}${errors.join('')}`
}
