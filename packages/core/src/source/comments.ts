import type { SourceDocument } from './document.js'

/** A comment of a YAML text, its sign included. Offsets in UTF-16 code units. */
export interface Comment {
  start: number
  end: number
  text: string
}

/** What the lexer of `yaml` puts between the tokens of the text: start of a document, of a scalar, end of broken flow. */
const MARKS = new Set(['\u0002', '\u0018', '\u001f'])

/**
 * The comments of a YAML document; none in JSON, which has no comments. Reads the whole text with a lexer: callers look first whether the
 * text holds what they want at all.
 */
export async function commentsOf({ text, uri }: Pick<SourceDocument, 'text' | 'uri'>): Promise<Comment[]> {
  if (text === undefined || /\.json$/i.test(uri.replace(/[?#].*$/, ''))) return []
  const { Lexer } = await import('./yaml-lexer.js')
  const comments: Comment[] = []
  let offset = 0
  let isScalar = false
  for (const token of new Lexer().lex(text)) {
    if (MARKS.has(token)) {
      isScalar = token === '\u001f'
      continue
    }
    if (!isScalar && token.startsWith('#')) {
      const line = token.replace(/\r$/, '')
      comments.push({ start: offset, end: offset + line.length, text: line })
    }
    isScalar = false
    offset += token.length
  }
  return comments
}
