// Columns of lengths whose values are all far from what is usual: mostly they are in another unit than their field,
// and no heading says so.

/** In the unit of the field: widths of pipes, depths of drains, trunks at breast height. */
const USUAL: Readonly<Record<string, readonly [from: number, to: number]>> = {
  dn: [40, 5_000],
  tiefe: [0, 15],
  abstand: [0.5, 200],
  genauigkeit_cm: [0.3, 5_000],
  bhd_cm: [4, 300],
  hoehe_m: [1.5, 80],
}

export interface RangeTally {
  count(values: Readonly<Record<string, unknown>>): void
  /** The columns of these fields. */
  unusual(): string[]
}

export function createRangeTally(mapping: Readonly<Record<string, string | undefined>>): RangeTally {
  const seen = new Map<string, [least: number, most: number]>()
  const fields = Object.keys(USUAL).filter((name) => mapping[name] !== undefined)
  return {
    count(values) {
      for (const name of fields) {
        const value = values[name]
        // Zero mostly stands for nothing.
        if (typeof value !== 'number' || value === 0) continue
        const range = seen.get(name)
        if (range === undefined) seen.set(name, [value, value])
        else seen.set(name, [Math.min(range[0], value), Math.max(range[1], value)])
      }
    },
    unusual: () =>
      [...seen].flatMap(([name, [least, most]]) => {
        const [from, to] = USUAL[name]!
        return most < from || least > to ? [mapping[name]!] : []
      }),
  }
}
