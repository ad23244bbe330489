/** Text for XML and HTML, in elements and in quoted attributes. Characters that XML cannot hold are shown by their code. */
export function escaped(text: string): string {
  return text
    .toWellFormed()
    .replace(/[&<>"']/g, (character) => ENTITIES[character]!)
    .replace(FORBIDDEN, (character) => `U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`)
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

// XML 1.0, section 2.2
const FORBIDDEN = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu
