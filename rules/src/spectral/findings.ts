import { analysisOf, type SpectralContext } from './analysis.js'
import type { SpectralOptions, SpectralResult } from './ruleset.js'

/** The findings of the one analysis of a document that are a rule's own. */
export async function findings(
  _: unknown,
  options: SpectralOptions,
  context: SpectralContext
): Promise<SpectralResult[]> {
  const { diagnostics, pathOf } = await analysisOf(context, options)
  return diagnostics
    .filter(
      ({ rule, severity }) => rule === options.rule && (options.severity === undefined || severity === options.severity)
    )
    .map((finding) => ({ message: literal(finding.message), path: pathOf(finding) }))
}

/** Spectral fills in `{{…}}`, which in a message of ours is what a document says. */
function literal(message: string): string {
  return message.replaceAll('{{', '{\u200d{')
}
