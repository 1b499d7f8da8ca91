// TIFFs of several pages, without compression, as a scanner with a feeder writes them.

export interface SheetOf {
  readonly width: number
  readonly height: number
  /** 1, 8 or 16; one band. */
  readonly bits: number
  /** Packed rows. */
  readonly data: Buffer
  readonly dpi?: number
  /** NewSubfileType: 1 a smaller size, 4 a mask. */
  readonly kind?: number
}

type Entry = readonly [tag: number, type: 3 | 4 | 5, value: number]

export function tiffOf(sheets: readonly SheetOf[]): Buffer {
  const parts: Buffer[] = [Buffer.from('II*\0\0\0\0\0', 'latin1')]
  let at = 8
  const put = (bytes: Buffer): number => {
    const place = at
    const padded = bytes.length % 2 === 0 ? bytes : Buffer.concat([bytes, Buffer.alloc(1)])
    parts.push(padded)
    at += padded.length
    return place
  }
  let link = { bytes: parts[0]!, offset: 4 }
  for (const { width, height, bits, data, dpi, kind = 0 } of sheets) {
    const strip = put(data)
    const resolution = Buffer.alloc(8)
    resolution.writeUInt32LE(dpi ?? 72, 0)
    resolution.writeUInt32LE(1, 4)
    const density = put(resolution)
    const entries: readonly Entry[] = [
      [254, 4, kind],
      [256, 3, width],
      [257, 3, height],
      [258, 3, bits],
      [259, 3, 1],
      [262, 3, 1],
      [273, 4, strip],
      [277, 3, 1],
      [278, 3, height],
      [279, 4, data.length],
      [282, 5, density],
      [283, 5, density],
      [296, 3, 2],
    ]
    const directory = Buffer.alloc(2 + entries.length * 12 + 4)
    directory.writeUInt16LE(entries.length, 0)
    for (const [nr, [tag, type, value]] of entries.entries()) {
      directory.writeUInt16LE(tag, 2 + nr * 12)
      directory.writeUInt16LE(type, 4 + nr * 12)
      directory.writeUInt32LE(1, 6 + nr * 12)
      if (type === 3) directory.writeUInt16LE(value, 10 + nr * 12)
      else directory.writeUInt32LE(value, 10 + nr * 12)
    }
    link.bytes.writeUInt32LE(put(directory), link.offset)
    link = { bytes: directory, offset: directory.length - 4 }
  }
  return Buffer.concat(parts)
}

/** A grey sheet on which every pixel is different enough to be recognised. */
export const greySheet = (width: number, height: number, seed: number, dpi = 300): SheetOf => ({
  width,
  height,
  bits: 8,
  data: Buffer.from(Uint8Array.from({ length: width * height }, (_, at) => (at * seed + (at >> 7)) & 255)),
  dpi,
})
