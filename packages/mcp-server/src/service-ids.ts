/** Ids for documents that were named without one, made from the ends of their addresses: short, and each its own. */
export function serviceIds(uris: string[]): string[] {
  const all = uris.map(wordsOf)
  const taken = new Set<string>()
  return all.map((words) => {
    const endOf = (other: string[], length: number): string => other.slice(-length).join('-')
    const lengths = words.map((_, i) => i + 1)
    const isAlone = (length: number): boolean =>
      all.every((other) => other === words || endOf(other, length) !== endOf(words, length))
    const short = endOf(words, lengths.find(isAlone) ?? words.length)
    let id = short
    for (let n = 2; taken.has(id); n++) id = `${short}-${n}`
    taken.add(id)
    return id
  })
}

/** The host and the folders of an address, and the name of the file where it says something. */
function wordsOf(uri: string): string[] {
  const { hostname, pathname } = new URL(uri)
  const segments = [hostname, ...pathname.replace(/\.[a-z0-9]+$/i, '').split('/')]
  const words = segments.map(slug).filter((word) => word !== '')
  if (words.length > 1 && ['openapi', 'swagger'].includes(words.at(-1)!)) words.pop()
  return words.length > 0 ? words : ['service']
}

function slug(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
}
