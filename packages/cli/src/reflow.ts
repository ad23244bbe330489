/**
 * Markdown with the line breaks inside its paragraphs taken out, so that it can be wrapped anew: an author's own breaks fit
 * the author's window. Lists, tables, headings, quotations and code keep their lines.
 */
export function reflow(text: string): string {
  const lines: string[] = []
  let fence: string | undefined
  let open = false
  for (const line of text.split('\n')) {
    const mark = /^ {0,3}(```+|~~~+)/.exec(line)?.[1]
    if (fence !== undefined) {
      if (mark?.startsWith(fence)) fence = undefined
      lines.push(line)
    } else if (mark !== undefined) {
      fence = mark
      open = false
      lines.push(line)
    } else {
      if (open && line.trim() !== '' && !BLOCK.test(line)) lines.push(`${lines.pop()} ${line.trim()}`)
      else lines.push(line)
      // Two spaces or a backslash at its end ask for a break; code, headings, tables and quotations go on in lines.
      open = line.trim() !== '' && !/( {2}|\\)$/.test(line) && (LIST.test(line) || !BLOCK.test(line))
    }
  }
  return lines.join('\n')
}

/** A list item: what is in front of its text. */
export const LIST = /^\s*([-*+]|\d{1,9}[.)])\s+/
const BLOCK = /^( {4}|\s*([-*+]|\d{1,9}[.)])\s|\s*[>|#])/
