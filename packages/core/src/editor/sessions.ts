/** Forms that are open at the same time, over all callers. The one that waited longest goes first. */
const MOST_SESSIONS = 200
/** After its last use. */
const LIFETIME_MS = 60 * 60 * 1000

interface Slot<T> {
  value: T | undefined
  usedAt: number
  queue: Promise<unknown>
}

/** What is kept between calls, by key: bounded, with expiry, and one call at a time for each key. */
export class Sessions<T> {
  readonly #slots = new Map<string, Slot<T>>()
  readonly #now: () => number
  readonly #limit: number
  readonly #lifetime: number

  constructor({ now = Date.now, limit = MOST_SESSIONS, lifetime = LIFETIME_MS } = {}) {
    this.#now = now
    this.#limit = limit
    this.#lifetime = lifetime
  }

  get size(): number {
    return this.#slots.size
  }

  /** Runs `work` on what is kept under the key, after the calls before it; what `work` leaves in the slot is kept. */
  async use<R>(key: string, work: (slot: { value: T | undefined }) => Promise<R>): Promise<R> {
    const slot = this.#slotOf(key)
    const turn = slot.queue.then(async () => {
      try {
        return await work(slot)
      } finally {
        slot.usedAt = this.#now()
        if (slot.value === undefined && slot.queue === last) this.#drop(key, slot)
      }
    })
    const last = turn.catch(() => {})
    slot.queue = last
    return turn
  }

  #slotOf(key: string): Slot<T> {
    const now = this.#now()
    for (const [other, { usedAt }] of this.#slots) {
      if (now - usedAt <= this.#lifetime) break
      this.#slots.delete(other)
    }
    const slot = this.#slots.get(key) ?? { value: undefined, usedAt: now, queue: Promise.resolve() }
    slot.usedAt = now
    // A map keeps the order in which keys came in: the one in use goes to the end.
    this.#slots.delete(key)
    this.#slots.set(key, slot)
    for (const other of this.#slots.keys()) {
      if (this.#slots.size <= this.#limit) break
      this.#slots.delete(other)
    }
    return slot
  }

  #drop(key: string, slot: Slot<T>): void {
    if (this.#slots.get(key) === slot) this.#slots.delete(key)
  }
}
