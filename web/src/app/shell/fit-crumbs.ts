// Which crumbs fit into the breadcrumb: the middle gives way first, then the first one; names are shortened
// in their middle, and nothing is cut to a letter.

/** A name above the page needs no more, in pixels. */
const NAME = 180
/** The last crumb gets at least this before others give way. */
const LAST = 160

export interface CrumbWidth {
  readonly width: number
  readonly named?: true | undefined
}
export interface Fit {
  /** These crumbs are in the menu "…": from, and up to but without. */
  readonly hidden: readonly [from: number, to: number]
  /** Width that each crumb may have. */
  readonly most: readonly number[]
}

/** @param more width of the button "…"; `room` is what the separators leave, `gap` what each takes */
export function fitCrumbs(
  crumbs: readonly CrumbWidth[],
  { room, gap, more }: { room: number; gap: number; more: number },
): Fit {
  const last = crumbs.length - 1
  const wanted = crumbs.map(({ width, named }) => (named ? Math.min(width, NAME) : width))
  const need = (from: number, to: number, ofLast: number) => {
    const others = wanted.slice(0, last).filter((_, at) => at < from || at >= to)
    const shown = others.length + (to > from ? 1 : 0)
    return others.reduce((sum, width) => sum + width, 0) + shown * gap + (to > from ? more : 0) + ofLast
  }
  const least = Math.min(crumbs[last]?.width ?? 0, LAST)
  const ways: (readonly [number, number])[] = [[1, 1]]
  for (let to = 2; to <= last; to++) ways.push([1, to])
  if (last > 0) ways.push([0, last])
  const hidden = ways.find(([from, to]) => need(from, to, least) <= room) ?? ways.at(-1)!
  const forLast = room - need(...hidden, 0)
  return { hidden, most: wanted.map((width, at) => (at === last ? forLast : width)) }
}

/** Narrower than this, a shortened text says nothing, in pixels. */
const LEAST = 56

/** Shortens a text in its middle: its beginning and its end tell most. Empty where there is no room for it. */
export function shortened(text: string, most: number, widthOf: (text: string) => number): string {
  if (widthOf(text) <= most) return text
  if (most < LEAST) return ''
  const letters = [...text]
  const keep = (count: number) =>
    `${letters
      .slice(0, Math.ceil(count * 0.6))
      .join('')
      .trimEnd()}…` +
    letters
      .slice(letters.length - Math.floor(count * 0.4))
      .join('')
      .trimStart()
  let count = letters.length - 1
  while (count > 4 && widthOf(keep(count)) > most) count -= 1
  return keep(count)
}
