import { UsageError, type Diagnostic } from '../diagnostics.js'
import { at, child, isObject, members, type Node } from '../source/workspace.js'
import { didYouMean, nearest } from './suggestions.js'

/** A profile as the root declares it. */
export interface Profile {
  name: string
  node: Node
  includes: string[]
}

/** The profiles of a document, and which of them an operation of a given choice belongs to. */
export class Profiles {
  /** In declared order; the first one is the default. */
  readonly declared: readonly Profile[]
  readonly #byName: Map<string, Profile>

  constructor(root: Node | undefined) {
    this.declared = members(root && child(root, 'profiles')).map(([name, node]) => ({
      name,
      node,
      includes: namesIn(isObject(node.value) ? node.value['includes'] : undefined)
    }))
    this.#byName = new Map(this.declared.map((p) => [p.name, p]))
  }

  has(name: string): boolean {
    return this.#byName.has(name)
  }

  get names(): string[] {
    return this.declared.map((p) => p.name)
  }

  /**
   * The profiles of a request. Without one it is the default profile. Throws a UsageError for a name that the document does
   * not declare; a part of a composition that declares none may be asked for anything.
   */
  requested(request: readonly string[] | undefined, isPart = false): string[] {
    const wanted = request?.filter((name) => name !== '') ?? []
    if (wanted.length === 0) return this.declared.slice(0, 1).map((p) => p.name)
    for (const name of wanted) {
      if (this.has(name) || (isPart && this.declared.length === 0)) continue
      throw new UsageError(
        `the profile ${JSON.stringify(name)} is not declared${didYouMean(nearest(name, this.names)) || '.'} ` +
          (this.declared.length > 0 ? `The document declares ${this.names.join(', ')}.` : 'The document declares none.')
      )
    }
    return [...new Set(wanted)]
  }

  /** A set of profiles with all that they include, transitively. */
  expand(names: readonly string[]): Set<string> {
    const all = new Set<string>()
    const open = [...names]
    for (let name = open.shift(); name !== undefined; name = open.shift()) {
      if (all.has(name)) continue
      all.add(name)
      open.push(...(this.#byName.get(name)?.includes ?? []))
    }
    return all
  }

  /** Names that `includes` lists and nobody declares, and cycles. Each cycle is one finding, at its first declared profile. */
  diagnostics(): Diagnostic[] {
    const findings: Diagnostic[] = []
    for (const profile of this.declared) {
      const includes = child(profile.node, 'includes')
      if (includes) findings.push(...this.undeclared(includes, profile.includes))
    }
    for (const cycle of this.#cycles()) {
      const profile = this.#byName.get(cycle[0]!)!
      findings.push(
        at(child(profile.node, 'includes')!, {
          rule: 'x-agent-profile-cycle',
          severity: 'error',
          message: `profiles include each other: ${[...cycle, cycle[0]].join(' → ')}`,
          within: [profile.includes.indexOf(cycle[1] ?? cycle[0]!)]
        })
      )
    }
    return findings
  }

  /**
   * Findings for names in a list that no profile has. A document that declares none at all may be part of a composition that
   * does, so there it is a warning.
   */
  undeclared(list: Node, names: readonly string[]): Diagnostic[] {
    const none = this.declared.length === 0
    return names.flatMap((name, index): Diagnostic[] => {
      if (this.has(name)) return []
      const suggestion = nearest(name, this.names)
      const declared = none ? 'none' : this.names.join(', ')
      const help = suggestion === undefined ? `; the document declares ${declared}` : didYouMean(suggestion)
      return [
        at(list, {
          rule: 'x-agent-undeclared-profile',
          severity: none ? 'warning' : 'error',
          message: `the profile ${JSON.stringify(name)} is not declared at the root${help}`,
          within: [index],
          ...(suggestion !== undefined && { suggestion })
        })
      ]
    })
  }

  #cycles(): string[][] {
    const cycles: string[][] = []
    const reported = new Set<string>()
    for (const { name } of this.declared) {
      if (reported.has(name)) continue
      const cycle = this.#pathBack(name)
      if (!cycle) continue
      cycles.push(cycle)
      for (const member of cycle) reported.add(member)
    }
    return cycles
  }

  /** The shortest way from a profile back to itself. */
  #pathBack(start: string): string[] | undefined {
    const open: string[][] = [[start]]
    const seen = new Set<string>()
    for (let path = open.shift(); path; path = open.shift()) {
      for (const next of this.#byName.get(path.at(-1)!)?.includes ?? []) {
        if (next === start) return path
        if (seen.has(next)) continue
        seen.add(next)
        open.push([...path, next])
      }
    }
    return undefined
  }
}

/** The texts of a list, other things left out: the shape is checked elsewhere. */
export function namesIn(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((name): name is string => typeof name === 'string') : []
}
