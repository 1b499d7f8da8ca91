// Lays the rooms out, web on the left and server on the right, each above all that it imports, and writes them
// as SVG.

export interface Drawing {
  /** By room: the rooms that it imports. */
  readonly rooms: ReadonlyMap<string, ReadonlySet<string>>
  readonly features: readonly string[]
  /** Rooms in the order in which a request passes them. */
  readonly request: readonly string[]
}

interface Box {
  readonly room: string
  readonly x: number
  readonly y: number
  readonly width: number
  readonly lines: readonly string[]
}

const LETTER = 7
const LINE = 16
const BOX = 34
const GAP = { x: 12, y: 54 } as const
const WIDTH = 1180
const FEATURES_A_LINE = 4
/** Both halves stand above what they share. */
const COLUMNS = [
  { holds: (room: string) => room.startsWith('web'), left: 0, right: 400 },
  { holds: (room: string) => room.startsWith('server'), left: 410, right: WIDTH },
] as const

/** All that a room imports, directly or through others. */
function reachOf(rooms: Drawing['rooms'], room: string, seen = new Set<string>()): ReadonlySet<string> {
  for (const next of rooms.get(room) ?? [])
    if (!seen.has(next)) {
      seen.add(next)
      reachOf(rooms, next, seen)
    }
  return seen
}

/** Arrows that follow from others are left out. */
function arrowsOf(rooms: Drawing['rooms']): (readonly [from: string, to: string])[] {
  return [...rooms].flatMap(([from, uses]) =>
    [...uses]
      .filter((to) => ![...uses].some((other) => other !== to && reachOf(rooms, other).has(to)))
      .map((to) => [from, to] as const),
  )
}

/** 0 imports nothing. */
function levelsOf(rooms: Drawing['rooms']): ReadonlyMap<string, number> {
  const levels = new Map<string, number>()
  const levelOf = (room: string): number => {
    const known = levels.get(room)
    if (known !== undefined) return known
    const level = Math.max(-1, ...[...(rooms.get(room) ?? [])].map(levelOf)) + 1
    levels.set(room, level)
    return level
  }
  for (const room of rooms.keys()) levelOf(room)
  return levels
}

function linesOf(room: string, features: readonly string[]): string[] {
  if (room === 'db') return ['db: tables, policies and functions']
  if (room !== 'web/features') return [room]
  const rows = Array.from({ length: Math.ceil(features.length / FEATURES_A_LINE) }, (_, row) =>
    features.slice(row * FEATURES_A_LINE, (row + 1) * FEATURES_A_LINE).join(' · '),
  )
  return [room, ...rows]
}

type Sized = Pick<Box, 'room' | 'lines' | 'width'>

/** Boxes of one level, in as many rows as the column needs. */
function rowsOf(rooms: readonly string[], features: readonly string[], width: number): Sized[][] {
  const rows: Sized[][] = []
  let used = Number.POSITIVE_INFINITY
  for (const room of rooms) {
    const lines = linesOf(room, features)
    const box = { room, lines, width: Math.max(...lines.map((line) => line.length)) * LETTER + 24 }
    if (used + GAP.x + box.width > width) {
      rows.push([])
      used = -GAP.x
    }
    rows.at(-1)?.push(box)
    used += GAP.x + box.width
  }
  return rows
}

/** Places rows from the top, each in the middle of its column. Returns where the next row begins. */
function place(rows: readonly Sized[][], left: number, right: number, top: number, boxes: Box[]): number {
  let y = top
  for (const row of rows) {
    const total = row.reduce((sum, { width }) => sum + width + GAP.x, -GAP.x)
    let x = Math.round((left + right - total) / 2)
    for (const sized of row) {
      boxes.push({ ...sized, x, y })
      x += sized.width + GAP.x
    }
    y += Math.max(...row.map(({ lines }) => BOX + (lines.length - 1) * LINE)) + GAP.y
  }
  return y
}

function boxesOf({ rooms, features }: Drawing): ReadonlyMap<string, Box> {
  const columns = COLUMNS.map(({ holds, left, right }) => {
    const own = [...rooms.keys()].filter(holds)
    const levels = levelsOf(
      new Map(own.map((room) => [room, new Set([...(rooms.get(room) ?? [])].filter(holds))])),
    )
    const rows = Array.from({ length: Math.max(...levels.values()) + 1 }, (_, level) =>
      rowsOf(own.filter((room) => levels.get(room) === level).sort(), features, right - left),
    )
    return { left, right, rows: rows.reverse().flat() }
  })
  const boxes: Box[] = []
  const lowest = Math.max(...columns.map(({ left, right, rows }) => place(rows, left, right, GAP.x, boxes)))
  const shared = [['contract'], ['domain'], ['db']].map((row) => rowsOf(row, features, WIDTH).flat())
  place(shared, 0, WIDTH, lowest, boxes)
  return new Map(boxes.map((box) => [box.room, box]))
}

const heightOf = ({ lines }: Box): number => BOX + (lines.length - 1) * LINE
const middleOf = ({ x, width }: Box): number => Math.round(x + width / 2)

function drawBox(box: Box, step: number): string {
  const text = box.lines.map(
    (line, nr) =>
      `<text x="${middleOf(box)}" y="${box.y + 22 + nr * LINE}"${nr === 0 ? ' class="name"' : ''}>${line}</text>`,
  )
  const number =
    step === 0
      ? ''
      : `<circle cx="${box.x}" cy="${box.y}" r="10"/><text x="${box.x}" y="${box.y + 4}" class="step">${step}</text>`
  const size = `width="${box.width}" height="${heightOf(box)}"`
  return `<rect x="${box.x}" y="${box.y}" ${size} rx="6"/>${text.join('')}${number}`
}

const STYLE = `
  text { font: 12px system-ui, sans-serif; text-anchor: middle; fill: #1f2a24 }
  .name { font-weight: 600 } .step { fill: #fff; font-weight: 600 }
  rect { fill: #eef4f0; stroke: #4f7a63 } circle { fill: #9a5b00 } path { fill: none; stroke: #8aa396 }
  @media (prefers-color-scheme: dark) {
    text { fill: #e4ece7 } rect { fill: #22302a; stroke: #7fae95 } path { stroke: #5c7568 }
  }`

/** An SVG whose boxes import only boxes below them. Numbers: the way of the request. */
export function drawRooms(drawing: Drawing): string {
  const boxes = boxesOf(drawing)
  const steps = new Map(drawing.request.map((room, nr) => [room, nr + 1]))
  const arrows = arrowsOf(drawing.rooms).flatMap(([from, to]) => {
    const [upper, lower] = [boxes.get(from), boxes.get(to)]
    if (upper === undefined || lower === undefined) return []
    const start = upper.y + heightOf(upper)
    const bend = Math.round((start + lower.y) / 2)
    const [x1, x2] = [middleOf(upper), middleOf(lower)]
    return [`<path d="M${x1} ${start}C${x1} ${bend} ${x2} ${bend} ${x2} ${lower.y}"/>`]
  })
  const height = Math.max(...[...boxes.values()].map((box) => box.y + heightOf(box))) + GAP.x
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img">`,
    '<title>Rooms of the source: each imports only what is below it; numbers follow one request</title>',
    `<style>${STYLE}\n</style>`,
    ...arrows,
    ...[...boxes.values()].map((box) => drawBox(box, steps.get(box.room) ?? 0)),
    '</svg>\n',
  ].join('\n')
}
