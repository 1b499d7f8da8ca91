// The sizes of a picture that is written as tiles: cut from rows, halved for the next size.
import type { Raster } from '#domain/georef/raster.ts'

export const TILE = 512

export interface Piece {
  readonly at: number
  readonly bytes: number
}

/** One size of the picture: takes rows, writes full tiles, and passes a half-size copy to the next level. */
export interface Level {
  readonly width: number
  readonly height: number
  readonly across: number
  /** Null where there is nothing of the scan. */
  readonly tiles: (Piece | null)[]
  readonly masks: (Piece | null)[]
  readonly data: Uint8Array
  readonly mask: Uint8Array
  filled: number
  row: number
}

export function levelsOf({ breite, hoehe }: Raster, channels: number): Level[] {
  const levels: Level[] = []
  for (
    let [width, height] = [breite, hoehe];
    ;
    [width, height] = [Math.ceil(width / 2), Math.ceil(height / 2)]
  ) {
    const across = Math.ceil(width / TILE)
    const count = across * Math.ceil(height / TILE)
    // The first level is drawn strip by strip and needs no buffer of its own.
    const room = levels.length === 0 ? 0 : width * TILE
    levels.push({
      width,
      height,
      across,
      tiles: Array.from({ length: count }, () => null),
      masks: Array.from({ length: count }, () => null),
      data: new Uint8Array(room * channels),
      mask: new Uint8Array(room),
      filled: 0,
      row: 0,
    })
    if (width <= TILE && height <= TILE) return levels
  }
}

/** One tile, white and masked out outside the picture; null if it contains nothing of the scan. */
export function cutTile(
  data: Uint8Array,
  mask: Uint8Array,
  width: number,
  column: number,
  rows: number,
  channels: number,
): { data: Uint8Array; mask: Uint8Array } | null {
  const left = column * TILE
  const columns = Math.min(TILE, width - left)
  const cut = { data: new Uint8Array(TILE * TILE * channels).fill(255), mask: new Uint8Array(TILE * TILE) }
  let any = false
  for (let row = 0; row < rows; row++) {
    const from = row * width + left
    const line = mask.subarray(from, from + columns)
    any ||= line.includes(255)
    cut.mask.set(line, row * TILE)
    cut.data.set(data.subarray(from * channels, (from + columns) * channels), row * TILE * channels)
  }
  return any ? cut : null
}

/** Averages those of four pixels that belong to the scan. */
export function halve(
  data: Uint8Array,
  mask: Uint8Array,
  width: number,
  rows: number,
  channels: number,
  next: Level,
  empty: boolean,
): void {
  const target = next.filled * next.width
  const count = Math.ceil(rows / 2) * next.width
  next.mask.fill(0, target, target + count)
  next.data.fill(255, target * channels, (target + count) * channels)
  if (empty) return
  for (let y = 0; y < rows; y += 2) {
    const below = y + 1 < rows ? width : 0
    let to = target + (y / 2) * next.width
    for (let x = 0; x < width; x += 2, to++) {
      const a = y * width + x
      const b = x + 1 < width ? a + 1 : a
      const [c, d] = [a + below, b + below]
      const [ma, mb, mc, md] = [mask[a]! & 1, mask[b]! & 1, mask[c]! & 1, mask[d]! & 1]
      const all = ma + mb + mc + md
      if (all === 0) continue
      next.mask[to] = 255
      for (let channel = 0; channel < channels; channel++)
        next.data[to * channels + channel] =
          (ma * data[a * channels + channel]! +
            mb * data[b * channels + channel]! +
            mc * data[c * channels + channel]! +
            md * data[d * channels + channel]!) /
            all +
          0.5
    }
  }
}
