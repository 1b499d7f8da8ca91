// The same seed, the same year (Mulberry32).
export interface Random {
  below(limit: number): number
  some<T>(of: readonly T[]): T
  /** True about once in so many times. */
  once(inSoMany: number): boolean
}
export function randomOf(seed: number): Random {
  let state = seed
  const below = (limit: number): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296) * limit)
  }
  return { below, some: (of) => of[below(of.length)]!, once: (inSoMany) => below(inSoMany) === 0 }
}
