// Keeps pictures in memory, evicting the least recently used; each is fetched only once, however
// many ask at the same time.

export interface BoundedCache<T extends NonNullable<unknown>> {
  get(key: string, make: () => Promise<T>): Promise<T>
  /** Without making it. */
  find(key: string): T | undefined
  readonly bytes: number
}

interface CacheOptions<T> {
  readonly most: number
  /** Milliseconds for which an entry is valid. */
  readonly lifeOf: (thing: T) => number
  readonly sizeOf: (thing: T) => number
  readonly now: () => number
}

export function createCache<T extends NonNullable<unknown>>({
  most,
  lifeOf,
  sizeOf,
  now,
}: CacheOptions<T>): BoundedCache<T> {
  const kept = new Map<string, { readonly thing: T; readonly until: number; readonly size: number }>()
  const underWay = new Map<string, Promise<T>>()
  let bytes = 0

  function drop(key: string): void {
    bytes -= kept.get(key)?.size ?? 0
    kept.delete(key)
  }
  function keep(key: string, thing: T): void {
    drop(key)
    // An entry itself uses memory too, even one that says "nothing there".
    const size = sizeOf(thing) + key.length + 200
    kept.set(key, { thing, until: now() + lifeOf(thing), size })
    bytes += size
    for (const oldest of kept.keys()) {
      if (bytes <= most) break
      drop(oldest)
    }
  }
  async function fetchOnce(key: string, make: () => Promise<T>): Promise<T> {
    const running = underWay.get(key)
    if (running !== undefined) return running
    const started = make()
    underWay.set(key, started)
    try {
      const thing = await started
      keep(key, thing)
      return thing
    } finally {
      underWay.delete(key)
    }
  }
  function find(key: string): T | undefined {
    const found = kept.get(key)
    if (found === undefined || found.until <= now()) return undefined
    // Moved to the end: the map is in order of use.
    kept.delete(key)
    kept.set(key, found)
    return found.thing
  }
  return {
    get: async (key, make) => find(key) ?? fetchOnce(key, make),
    find,
    get bytes() {
      return bytes
    },
  }
}
