/**
 * The known name that is most likely meant by an unknown one, or undefined: another capitalisation or separator, a few
 * wrong letters, or the beginning of the name.
 */
export function nearest(name: string, known: readonly string[]): string | undefined {
  if (plain(name) === '') return undefined
  let best: { name: string; score: number } | undefined
  for (const candidate of known) {
    const score = difference(name, candidate)
    const longest = Math.max(plain(name).length, plain(candidate).length)
    const limit = Math.max(1, Math.floor(longest / 3))
    if (score <= limit && score < longest && (!best || score < best.score)) best = { name: candidate, score }
  }
  return best?.name
}

/** Is a suggestion so near to what was written that nothing else can be meant? Then it may be made without asking. */
export function isSlip(name: string, suggestion: string): boolean {
  return difference(name, suggestion) <= Math.min(2, Math.ceil(plain(suggestion).length / 4))
}

function plain(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
}

function difference(name: string, candidate: string): number {
  const [wanted, other] = [plain(name), plain(candidate)]
  const score = distance(wanted, other)
  return wanted.length >= 3 && other.startsWith(wanted) ? Math.min(score, 1) : score
}

/** ` (did you mean "…"?)`, or nothing. */
export function didYouMean(suggestion: string | undefined): string {
  return suggestion === undefined ? '' : `; did you mean "${suggestion}"?`
}

/** Edit distance in which two letters swapped count once (optimal string alignment). */
function distance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 8 || a.length > 80 || b.length > 80) return Infinity
  let before: number[] = []
  let previous = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1]
      let cost = Math.min(previous[j]! + 1, row[j - 1]! + 1, previous[j - 1]! + (same ? 0 : 1))
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) cost = Math.min(cost, before[j - 2]! + 1)
      row.push(cost)
    }
    before = previous
    previous = row
  }
  return previous[b.length]!
}
