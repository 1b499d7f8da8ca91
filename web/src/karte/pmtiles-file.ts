// Reads tiles from the operator's PMTiles file: its directories and each tile by a range of bytes. Loaded with
// the first map that shows one.
//
// The file is the operator's own, and its head has been checked by the server. What is guarded against here is
// what a damaged file could do to a browser: the library follows at most three directories for a tile, and a
// piece or an unpacked tile beyond the limits below is refused.
import { Compression, type DecompressFunc, PMTiles, SharedPromiseCache, type Source, TileType } from 'pmtiles'
import { type BaseMap, type BaseMapTile, baseMapPaths, PIECE_BYTES } from '#contract/base-map.ts'
import { ApiError, errorText } from '../data/api-error.ts'
import { callGeneral, ownRequests } from '../data/client.ts'
import { pathOf } from './path.ts'

/** Of one tile or directory. Those of a country have less than two megabytes. */
export const UNPACKED_BYTES = 32 * 1024 * 1024
const TIMEOUT_MS = 30_000
/** Kept in memory. */
const DIRECTORIES = 100

const damaged = (detail: string): ApiError => new ApiError('bad_value', errorText('bad_value'), { detail })

/** Exported for tests: the bytes of the file's version from `offset`. */
export type ReadPiece = (offset: number, length: number, signal?: AbortSignal) => Promise<ArrayBuffer>

const pieceReader =
  (version: string): ReadPiece =>
  async (offset, length, given) => {
    const limit = AbortSignal.timeout(TIMEOUT_MS)
    const signal = given ? AbortSignal.any([given, limit]) : limit
    const range = `${offset}-${offset + length - 1}`
    // Each range has its own address: browsers keep one piece of an address, and queue requests for it.
    const address = `${ownRequests.address(pathOf(baseMapPaths.datei(version)))}?bytes=${range}`
    const ask = (token: string | null) =>
      fetch(address, {
        signal,
        headers: { Range: `bytes=${range}`, ...(token && { Authorization: `Bearer ${token}` }) },
      })
    try {
      const token = ownRequests.token()
      let answer = await ask(token)
      if (answer.status === 401 && (await ownRequests.renew(token))) answer = await ask(ownRequests.token())
      if (answer.status === 206) return await answer.arrayBuffer()
      // The end of the file, or something in between that does not know ranges.
      if (answer.status === 200) return (await answer.arrayBuffer()).slice(offset, offset + length)
      const code = answer.status === 404 ? 'not_found' : 'unavailable'
      throw new ApiError(code, errorText(code), { status: answer.status })
    } catch (error) {
      if (error instanceof ApiError || given?.aborted) throw error
      const code = limit.aborted ? 'timeout' : 'unavailable'
      throw new ApiError(code, errorText(code))
    }
  }

/** Ends as soon as there is more than a tile can have. */
const unpack: DecompressFunc = async (packed, compression) => {
  if (compression === Compression.None || compression === Compression.Unknown) return packed
  if (compression !== Compression.Gzip) throw damaged(`packed as ${compression}`)
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'))
  const parts: Uint8Array<ArrayBuffer>[] = []
  let size = 0
  const reader = stream.getReader()
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- one part after the other
    const { done, value } = await reader.read()
    if (done) break
    size += value.length
    if (size > UNPACKED_BYTES) {
      void reader.cancel().catch(() => {})
      throw damaged(`more than ${UNPACKED_BYTES} bytes unpacked`)
    }
    parts.push(value)
  }
  return new Blob(parts).arrayBuffer()
}

const MIME: Partial<Record<TileType, string>> = {
  [TileType.Mvt]: 'application/vnd.mapbox-vector-tile',
  [TileType.Png]: 'image/png',
  [TileType.Jpeg]: 'image/jpeg',
  [TileType.Webp]: 'image/webp',
  [TileType.Avif]: 'image/avif',
}

/** Exported for tests. */
export function tilesIn(
  key: string,
  read: ReadPiece,
): (at: BaseMapTile, signal?: AbortSignal) => Promise<Blob> {
  const source: Source = {
    getKey: () => key,
    getBytes: async (offset, length, signal) => {
      const isPlace = Number.isSafeInteger(offset) && offset >= 0 && length > 0 && length <= PIECE_BYTES
      if (!isPlace) throw damaged(`${length} bytes at ${offset}`)
      return { data: await read(offset, length, signal) }
    },
  }
  // The cache unpacks the directories, the file its tiles.
  const file = new PMTiles(source, new SharedPromiseCache(DIRECTORIES, undefined, unpack), unpack)
  return async ({ z, x, y }, signal) => {
    const [tile, { tileType }] = await Promise.all([file.getZxy(z, x, y, signal), file.getHeader()])
    return new Blob(tile === undefined ? [] : [tile.data], { type: MIME[tileType] ?? '' })
  }
}

/** One file is configured; an older version of it is never asked for again. */
let opened: { readonly fassung: string; readonly tileAt: ReturnType<typeof tilesIn> } | null = null
/** The version that has taken the place of one that a map was opened with. */
const replaced = new Map<string, string>()

export async function tileOfFile(version: string, at: BaseMapTile, signal?: AbortSignal): Promise<Blob> {
  const known = replaced.get(version) ?? version
  try {
    return await openedAt(known)(at, signal)
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 'not_found')) throw error
    const now = await versionNow(signal)
    if (now === null || now === known) throw error
    replaced.set(version, now)
    return openedAt(now)(at, signal)
  }
}

function openedAt(version: string): ReturnType<typeof tilesIn> {
  if (opened?.fassung !== version)
    opened = { fassung: version, tileAt: tilesIn(version, pieceReader(version)) }
  return opened.tileAt
}

/** The operator has replaced the file, or taken it away. */
async function versionNow(signal?: AbortSignal): Promise<string | null> {
  const maps = await callGeneral<BaseMap[]>('GET', pathOf(baseMapPaths.liste), { signal, quiet: true })
  return maps.find(({ datei }) => datei !== undefined)?.datei?.fassung ?? null
}
