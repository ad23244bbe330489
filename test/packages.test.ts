// What `npm publish` would send. Needs the build.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { root } from './support/serve.js'

interface Packed {
  name: string
  files: { path: string }[]
}

it('every package has its licence and what its manifest names, and nothing of the build', () => {
  const options = {
    cwd: root,
    encoding: 'utf8',
    shell: process.platform === 'win32',
    stdio: ['ignore', 'pipe', 'ignore']
  }
  const output = execFileSync('npm', ['pack', '--dry-run', '--json', '--workspaces'], options as { encoding: 'utf8' })
  const packages = JSON.parse(output) as Packed[]
  expect(packages.length).toBeGreaterThanOrEqual(4)
  for (const { name, files } of packages) {
    const paths = files.map(({ path }) => path)
    expect([name, paths]).toEqual([name, expect.arrayContaining(['LICENSE', 'package.json'])])
    expect(paths.filter((path) => /tsbuildinfo|\.test\.|^src\//.test(path))).toEqual([])
    expect(paths).toContain(name === 'openapi-mcp' ? 'dist/main.js' : 'dist/index.js')
  }
})

it('the command line brings nearly all that it needs', () => {
  const manifest = JSON.parse(readFileSync(`${root}packages/cli/package.json`, 'utf8')) as Record<string, object>
  // What runs configurations in TypeScript cannot be bundled: it reads files of its own.
  expect(Object.keys(manifest['dependencies']!)).toEqual(['jiti'])
  expect(Object.keys(manifest['peerDependencies']!)).toEqual(Object.keys(manifest['peerDependenciesMeta']!))
})
