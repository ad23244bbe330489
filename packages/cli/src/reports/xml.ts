import { safeText } from '../terminal.js'

/** Text for XML and HTML, in elements and in quoted attributes. Characters that nobody would see, or that XML cannot hold, are shown by their code. */
export function escaped(text: string): string {
  return safeText(text)
    .replace(/[\ufffe\uffff]/g, (character) => `<U+${character.charCodeAt(0).toString(16).toUpperCase()}>`)
    .replace(/[&<>"']/g, (character) => ENTITIES[character]!)
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }
