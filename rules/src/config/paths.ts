/**
 * A document as a configuration, an ignore file or a baseline names it: its path from the folder of that file, with slashes. What has no such
 * path (an address, another drive) is named by its URI. `folder` is a URI with a slash at its end.
 */
export function pathFrom(folder: string, uri: string): string {
  if (!uri.startsWith('file:') || !folder.startsWith('file:')) return uri
  const from = new URL(folder)
  const to = new URL(uri)
  const start = segmentsOf(from).slice(0, -1)
  const target = segmentsOf(to)
  if (from.host !== to.host || (isDrive(target[0]) && target[0] !== start[0])) return uri
  let common = 0
  while (common < start.length && common < target.length - 1 && start[common] === target[common]) common++
  return [...start.slice(common).map(() => '..'), ...target.slice(common)].join('/')
}

/** The URI of a path that `pathFrom` gave, or that a person wrote. */
export function uriFrom(folder: string, path: string): string {
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(path)) return path
  const slashes = path.replaceAll('\\', '/')
  const [first = '', ...others] = slashes.split('/')
  const encoded = others.map(encodeURIComponent)
  if (isDrive(first)) return new URL(`/${[first, ...encoded].join('/')}`, folder).href
  return new URL(
    slashes.startsWith('/') ? `/${encoded.join('/')}` : ['.', encodeURIComponent(first), ...encoded].join('/'),
    folder
  ).href
}

function segmentsOf({ pathname }: URL): string[] {
  return pathname
    .slice(1)
    .split('/')
    .map(decoded)
    .map((segment, i) => (i === 0 && isDrive(segment) ? segment.toUpperCase() : segment))
}

function isDrive(segment: string | undefined): boolean {
  return segment !== undefined && /^[a-z]:$/i.test(segment)
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
