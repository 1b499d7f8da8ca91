// Where a handle at the edge of the window covers nothing that can be pressed. Pure.

export interface Span {
  readonly top: number
  readonly bottom: number
}

/** The place nearest to the wanted one that is free; the wanted one if there is none. */
export function freeTop(
  wanted: number,
  {
    size,
    height,
    taken,
  }: { readonly size: number; readonly height: number; readonly taken: readonly Span[] },
): number {
  const isFree = (top: number) =>
    top >= 0 && top + size <= height && taken.every((span) => span.bottom <= top || span.top >= top + size)
  // Only just above or below something can be the nearest.
  const places = [wanted, ...taken.flatMap(({ top, bottom }) => [top - size, bottom])].filter(isFree)
  return (
    places.reduce<number | null>(
      (best, next) => (best === null || Math.abs(next - wanted) < Math.abs(best - wanted) ? next : best),
      null,
    ) ?? wanted
  )
}
