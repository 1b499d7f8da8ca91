// The operator's file as the browser reads it, with files that are damaged or made to do harm.
import { gzipSync } from 'node:zlib'
import { expect, test } from 'vitest'
import { PIECE_BYTES } from '#contract/base-map.ts'
import {
  assemble,
  type Entry,
  type FixtureOptions,
  HEAD_BYTES,
  tileId,
  vectorTile,
  writeDirectory,
  writePmtiles,
} from '../../../server/map-service/pmtiles.fixture.ts'
import { tilesIn, UNPACKED_BYTES } from './pmtiles-file.ts'

const TILE = vectorTile({
  water: [
    {
      art: 'line',
      at: [
        [0, 0],
        [9, 9],
      ],
      is: { kind: 'river' },
    },
  ],
})
const VECTOR: FixtureOptions = { type: 'mvt', tiles: [{ z: 3, x: 4, y: 2, bytes: TILE }] }

let asked: (readonly [offset: number, length: number])[] = []
function open(bytes: Uint8Array) {
  asked = []
  const tileAt = tilesIn('key', async (offset, length) => {
    asked.push([offset, length])
    return Uint8Array.from(bytes.subarray(offset, offset + length)).buffer
  })
  return (z: number, x: number, y: number) => tileAt({ z, x, y })
}
/** Directories as given; the tiles' bytes are `data`. */
const made = (root: readonly Entry[], leaves: Buffer, data: Uint8Array = gzipSync(TILE)): Buffer =>
  assemble({ root: writeDirectory(root), metadata: gzipSync('{}'), leaves, data }, VECTOR)
const AT = [3, 4, 2] as const
const id = tileId(...AT)

test('vector tiles are unpacked, pictures left as they are, and what is not there is empty', async () => {
  const vector = await open(writePmtiles(VECTOR))(...AT)
  expect(Buffer.from(await vector.arrayBuffer()).equals(TILE)).toBe(true)
  expect(vector.type).toBe('application/vnd.mapbox-vector-tile')
  const png = Buffer.from('picture')
  const picture = await open(writePmtiles({ type: 'png', tiles: [{ z: 3, x: 4, y: 2, bytes: png }] }))(...AT)
  expect([await picture.text(), picture.type]).toEqual(['picture', 'image/png'])
  expect((await open(writePmtiles(VECTOR))(3, 4, 3)).size).toBe(0)
  expect((await open(writePmtiles(VECTOR))(9, 0, 0)).size).toBe(0)
})
test('every tile of five levels is found, in one directory and in leaves', async () => {
  const tiles = [0, 1, 2, 3, 4].flatMap((z) =>
    Array.from({ length: 4 ** z }, (_, at) => {
      const [x, y] = [at % 2 ** z, Math.floor(at / 2 ** z)]
      return { z, x, y, bytes: Buffer.from(`${z}/${x}/${y}`) }
    }),
  )
  for (const leaf of [undefined, 50]) {
    const tileAt = open(writePmtiles({ type: 'png', tiles, ...(leaf && { leaf }) }))
    for (const { z, x, y } of tiles) expect(await (await tileAt(z, x, y)).text()).toBe(`${z}/${x}/${y}`)
  }
})
test('a directory that leads to itself ends', async () => {
  const pointer: Entry = { id: 0, run: 0, offset: 0, length: 0 }
  const length = writeDirectory([{ ...pointer, length: 40 }]).length
  const leaf = writeDirectory([{ ...pointer, length }])
  await expect(open(made([{ ...pointer, length: leaf.length }], leaf))(...AT)).rejects.toThrow()
  expect(asked.length).toBeLessThan(6)
})
test.each<[string, Entry]>([
  ['a length of gigabytes', { id, run: 1, offset: 0, length: 4_000_000_000 }],
  ['a length just above the limit', { id, run: 1, offset: 0, length: PIECE_BYTES + 1 }],
  ['a place beyond all numbers', { id, run: 1, offset: Number.MAX_SAFE_INTEGER, length: 10 }],
  ['a leaf of gigabytes', { id: 0, run: 0, offset: 0, length: 4_000_000_000 }],
])('%s is not asked for', async (_name, entry) => {
  await expect(open(made([entry], Buffer.alloc(0)))(...AT)).rejects.toThrow()
  for (const [offset, length] of asked)
    expect(length <= PIECE_BYTES && Number.isSafeInteger(offset), `${offset} ${length}`).toBe(true)
})
test('a bomb is not unpacked, whether tile or leaf', async () => {
  const bomb = gzipSync(Buffer.alloc(UNPACKED_BYTES * 2))
  const entry = { id, run: 1, offset: 0, length: bomb.length }
  await expect(open(made([entry], Buffer.alloc(0), bomb))(...AT)).rejects.toMatchObject({
    detail: expect.stringMatching(/bytes unpacked/),
  })
  await expect(open(made([{ ...entry, id: 0, run: 0 }], bomb))(...AT)).rejects.toMatchObject({
    detail: expect.stringMatching(/bytes unpacked/),
  })
})
test('a directory that says it has more entries than bytes, and bytes that are no gzip', async () => {
  const endless = gzipSync(Buffer.from([0xff, 0xff, 0xff, 0xff, 0x0f, 1, 1]))
  const parts = { metadata: gzipSync('{}'), leaves: Buffer.alloc(0), data: gzipSync(TILE) }
  await expect(open(assemble({ ...parts, root: endless }, VECTOR))(...AT)).rejects.toThrow()
  const broken = Buffer.from(writePmtiles(VECTOR))
  broken.fill(0, HEAD_BYTES, HEAD_BYTES + 10)
  await expect(open(broken)(...AT)).rejects.toThrow()
  await expect(open(writePmtiles(VECTOR).subarray(0, 60))(...AT)).rejects.toThrow()
})
