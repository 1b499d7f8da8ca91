// Pseudo-random numbers that are the same for the same seed on every machine and engine.

export interface Random {
  /** From 0 up to but not including 1. */
  next(): number
  /** Whole number from lo to hi, both included. */
  int(lo: number, hi: number): number
  chance(probability: number): boolean
  pick<T>(list: readonly T[]): T
  /** `count` different elements, in the order drawn. */
  sample<T>(list: readonly T[], count: number): T[]
}

/** A counter with mixed bits (the MurmurHash3 finalizer); good enough for samples, never for secrets. */
export function makeRandom(seed: number): Random {
  let counter = seed >>> 0
  const next = (): number => {
    counter = (counter + 0x9e3779b9) >>> 0
    let bits = counter
    bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b)
    bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35)
    return ((bits ^ (bits >>> 16)) >>> 0) / 2 ** 32
  }
  const int = (lo: number, hi: number): number => lo + Math.floor(next() * (hi - lo + 1))
  const pick = <T>(list: readonly T[]): T => {
    if (list.length === 0) throw new Error('nothing to pick from')
    return list[int(0, list.length - 1)]!
  }
  const sample = <T>(list: readonly T[], count: number): T[] => {
    const rest = [...list]
    return Array.from(
      { length: Math.min(count, rest.length) },
      () => rest.splice(int(0, rest.length - 1), 1)[0]!,
    )
  }
  return { next, int, chance: (probability) => next() < probability, pick, sample }
}
