import stringWidth from 'string-width'
import wrapAnsi from 'wrap-ansi'

export interface Column {
  title: string
  /** Widest it may get where room is short; longer cells wrap. */
  most?: number
  paint?: (text: string) => string
}

const GAP = 2
/** Width in which the text of the last column reads well, and the least. */
const COMFORTABLE = 40
const NARROWEST = 24

/**
 * Rows in aligned columns. The last column takes the rest of the width; where little is left for it, it goes below its row.
 * Columns without any text are left out. With an infinite width nothing wraps.
 */
export function table(
  columns: Column[],
  rows: string[][],
  width: number,
  paintTitle: (text: string) => string
): string[] {
  const used = columns.map((_, i) => i).filter((i) => rows.some((row) => row[i] !== ''))
  const fixed = used.slice(0, -1)
  const last = used.at(-1)
  if (last === undefined) return []
  const natural = fixed.map((i) => widest([columns[i]!.title, ...rows.map((row) => row[i]!)]))
  const lastWidth = widest([columns[last]!.title, ...rows.flatMap((row) => row[last]!.split('\n'))])
  const widths = new Map(fixed.map((i, n) => [i, Math.min(natural[n]!, columns[i]!.most ?? Infinity)]))
  shrink(widths, width)
  const below = width - spaceOf(widths) < Math.min(NARROWEST, lastWidth)
  // What is left over lets the columns be as wide as their texts.
  for (const [n, i] of fixed.entries()) {
    const spare = width - spaceOf(widths) - (below ? 0 : Math.min(COMFORTABLE, lastWidth))
    const missing = natural[n]! - widths.get(i)!
    if (spare > 0 && missing > 0) widths.set(i, widths.get(i)! + Math.min(spare, missing))
  }
  const room = width - spaceOf(widths)
  const layout = (cells: string[], paint: (i: number, text: string) => string): string[] => {
    const wrapped = new Map(
      used.map((i) => [i, wrap(cells[i]!, i === last ? (below ? width - 2 * GAP : room) : widths.get(i)!)])
    )
    const inRow = below ? fixed : used
    const height = Math.max(1, ...inRow.map((i) => wrapped.get(i)!.length))
    const lines = Array.from({ length: height }, (_, n) =>
      inRow
        .map((i, position) => {
          const text = wrapped.get(i)![n] ?? ''
          const padding = position === inRow.length - 1 ? '' : ' '.repeat(widths.get(i)! - stringWidth(text) + GAP)
          return text === '' ? padding : paint(i, text) + padding
        })
        .join('')
        .trimEnd()
    )
    if (below && cells[last] !== '')
      lines.push(...wrapped.get(last)!.map((text) => ' '.repeat(2 * GAP) + paint(last, text)))
    return lines
  }
  const titles = layout(
    columns.map((c, i) => (below && i === last ? '' : c.title)),
    (_, text) => paintTitle(text)
  )
  return [...titles, ...rows.flatMap((row) => layout(row, (i, text) => columns[i]!.paint?.(text) ?? text))]
}

function widest(texts: string[]): number {
  return texts.reduce((most, text) => Math.max(most, stringWidth(text)), 0)
}

function spaceOf(widths: Map<number, number>): number {
  return [...widths.values()].reduce((sum, w) => sum + w + GAP, 0)
}

/** Takes from the widest columns until they fit. */
function shrink(widths: Map<number, number>, width: number): void {
  while (spaceOf(widths) > width) {
    const [column, most] = [...widths].reduce((a, b) => (b[1] > a[1] ? b : a))
    if (most <= 8) return
    widths.set(column, most - 1)
  }
}

/** Lines of a text that fit a width; words that are longer are cut. */
export function wrap(text: string, width: number): string[] {
  if (!Number.isFinite(width)) return text.split('\n')
  return wrapAnsi(text, Math.max(1, width), { hard: true, trim: true }).split('\n')
}
