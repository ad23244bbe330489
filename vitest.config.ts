import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { CountsReporter } from './test/support/counts-reporter.js'

export default defineConfig({
  resolve: {
    alias: [
      {
        // In-process tests run the sources, so that a stack trace and a changed line are where they are written.
        find: /^@openapi-mcp\/core$/,
        replacement: fileURLToPath(new URL('packages/core/src/node/index.ts', import.meta.url))
      },
      {
        find: /^@openapi-mcp\/rules\/clients$/,
        replacement: fileURLToPath(new URL('rules/src/clients.ts', import.meta.url))
      },
      {
        find: /^@openapi-mcp\/rules\/config\/node$/,
        replacement: fileURLToPath(new URL('rules/src/config/node.ts', import.meta.url))
      },
      {
        find: /^@openapi-mcp\/rules\/config$/,
        replacement: fileURLToPath(new URL('rules/src/config/index.ts', import.meta.url))
      },
      {
        find: /^@openapi-mcp\/rules$/,
        replacement: fileURLToPath(new URL('rules/src/index.ts', import.meta.url))
      },
      {
        find: /^@openapi-mcp\/mcp-server$/,
        replacement: fileURLToPath(new URL('packages/mcp-server/src/index.ts', import.meta.url))
      }
    ]
  },
  test: {
    include: ['packages/**/src/**/*.test.ts', 'rules/src/**/*.test.ts', 'test/**/*.test.ts'],
    // Vitest leaves one core free, which on a machine with two means one worker.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    // Tests that start the built program wait for a process on a busy machine.
    testTimeout: 20_000,
    // No colour codes in what tests compare. (NO_COLOR beside the FORCE_COLOR of a caller makes Node print a warning.)
    env: { FORCE_COLOR: '0' },
    reporters: ['default', new CountsReporter()]
  }
})
