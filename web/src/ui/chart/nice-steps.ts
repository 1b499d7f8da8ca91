/** Grid lines from 0 to at least `most`: three to six of them, in steps of 1, 2 or 5 times a power of ten. */
export function niceSteps(most: number): number[] {
  if (!(most > 0) || !Number.isFinite(most)) return [0, 1]
  const rough = most / 4
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = [1, 2, 5, 10].map((times) => times * power).find((candidate) => candidate >= rough) ?? rough
  const count = Math.ceil(most / step - 1e-9)
  return Array.from({ length: count + 1 }, (_, nr) => Number((nr * step).toPrecision(12)))
}
