import path from 'node:path'
import type { PlacedFinding } from '../findings.js'
import type { Format, Report } from './report.js'

/** Is it an address and no path? */
export function isAddress(file: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\//i.test(file)
}

/** A path as machines share it, whatever the machine. */
export function slashed(file: string): string {
  return isAddress(file) ? file : file.replaceAll('\\', '/')
}

/** Formats whose readers look for files from the root of the repository, not from the folder in which lint is run. */
const FROM_ROOT: ReadonlySet<Format> = new Set(['sarif', 'junit', 'github', 'gitlab'])

/** The report with paths from the root of the repository, for formats that need them and where the CI says which folder that is. */
export function fromRepository(
  format: Format,
  report: Report,
  { cwd, env }: { cwd: string; env: Record<string, string | undefined> }
): Report {
  const root = env.GITHUB_WORKSPACE || env.CI_PROJECT_DIR
  if (!root || !FROM_ROOT.has(format)) return report
  const named = (file: string): string => {
    if (isAddress(file)) return file
    const fromRoot = path.relative(root, path.resolve(cwd, file))
    return fromRoot === '' || fromRoot.startsWith('..') || path.isAbsolute(fromRoot) ? file : fromRoot
  }
  const placed = (finding: PlacedFinding): PlacedFinding => ({
    ...finding,
    file: named(finding.file),
    related: finding.related.map((related) => ({ ...related, file: named(related.file) }))
  })
  return {
    ...report,
    findings: report.findings.map(placed),
    suppressed: report.suppressed.map(placed),
    accepted: report.accepted.map(placed),
    documents: report.documents.map(named)
  }
}
