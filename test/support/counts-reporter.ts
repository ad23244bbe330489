import type { Reporter, SerializedError, TestModule } from 'vitest/node'

/** Ends the run with one line that people and programs read alike: `12 passed, 0 failed, 1 skipped`. */
export class CountsReporter implements Reporter {
  #line = ''

  onInit(): void {
    // Vitest and its default reporter may still write after the last report.
    process.once('exit', () => process.stdout.write(this.#line))
  }

  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly SerializedError[]): void {
    const count = { passed: 0, failed: unhandledErrors.length, skipped: 0, pending: 0 }
    for (const module of modules) {
      const failedBefore = count.failed
      for (const test of module.children.allTests()) count[test.result().state]++
      // A file that cannot be imported, or a suite whose hook throws, fails without a failed test.
      if (module.state() === 'failed' && count.failed === failedBefore) count.failed++
    }
    const skipped = count.skipped + count.pending
    this.#line = `${count.passed} passed, ${count.failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`
  }
}
