import { describe, expect, it } from 'vitest'
import { localPath } from './sources.js'

describe('the path of an address', () => {
  it('is that of a file', () => expect(localPath('file:///a%20b/openapi.yaml')).toBe('/a b/openapi.yaml'))

  it.each(['https://a.example/openapi.yaml', 'file:///a%2Fb.yaml', 'file://host/a.yaml'])('is none for %s', (uri) => {
    // Windows has shares on other hosts.
    if (process.platform !== 'win32') expect(localPath(uri)).toBeUndefined()
  })
})
