#!/usr/bin/env node
import { existsSync } from 'node:fs'

const program = new URL('../dist/main.js', import.meta.url)

if (existsSync(program)) {
  await import(program.href)
} else {
  console.error('openapi-mcp is not built yet. Run `npm run build` at the root of the repository.')
  process.exitCode = 2
}
