import type { SourceDocument } from './document.js'
import type { DocumentEditor } from './edits.js'

/** What makes editors of documents. Most documents are never edited, so it loads on first need. */
export async function documentEditors(): Promise<(document: SourceDocument) => DocumentEditor> {
  return (await import('./edits.js')).createEditor
}
