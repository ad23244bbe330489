/** Property keys that model providers accept (Claude's rule; the narrowest in wide use that keeps dots and dashes). */
const SAFE_KEY = /^[a-zA-Z0-9_.-]{1,64}$/

/** Tool name of an operationId: snake_case, without what the pattern of tool names forbids. Empty where nothing is left. */
export function snakeCase(operationId: string): string {
  return withoutMarks(operationId)
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1_$2')
    .replace(/[^A-Za-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
    .toLowerCase()
}

function withoutMarks(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}+/gu, '')
}

/**
 * Hands out argument names. A name that clients refuse as a property key gets a safe form, and no name is given twice:
 * the link to the API is kept elsewhere, so that the name is free to differ.
 */
export class ArgumentNames {
  readonly #taken = new Set<string>()

  has(name: string): boolean {
    return this.#taken.has(name)
  }

  /** `suffix` tells two of the same name apart, such as `__body`. */
  take(name: string, suffix: string): string {
    let candidate = SAFE_KEY.test(name) ? name : this.#safe(name)
    while (this.#taken.has(candidate)) candidate = `${candidate.slice(0, 64 - suffix.length)}${suffix}`
    this.#taken.add(candidate)
    return candidate
  }

  #safe(name: string): string {
    const safe = withoutMarks(name)
      .replace(/[^a-zA-Z0-9_.-]+/g, '_')
      .replace(/^_+|_+$/g, '')
    if (safe === '') return this.#numbered('argument')
    return safe.length <= 64 ? safe : this.#cut(safe)
  }

  #cut(name: string): string {
    const short = name.slice(0, 64)
    return this.#taken.has(short) ? this.#numbered(name.slice(0, 60)) : short
  }

  #numbered(stem: string): string {
    let n = 1
    while (this.#taken.has(`${stem}_${n}`)) n++
    return `${stem}_${n}`
  }
}
