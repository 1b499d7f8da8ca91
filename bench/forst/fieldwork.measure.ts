// 1,000 trees captured offline, a third of them with a photo, are sent to a server in its own process on
// PostgreSQL over a line that is cut 50 times: in the middle of an upload, or after the server has done its
// work but before its answer arrives. After each cut the device starts again from its storage. Storage is
// IndexedDB emulated in Node; queue, sync and upload are the product's own code.
import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import 'fake-indexeddb/auto'
import sharp from 'sharp'
import type { Habitatbaum } from '#contract/habitat.ts'
import { tokensOf } from '../../e2e/http-sign-in.ts'
import { type SyncSummary, syncAll, TransportError } from '../../web/src/features/fieldwork/sync.ts'
import { createTransport, subOf } from '../../web/src/features/fieldwork/sync-transport.ts'
import {
  type FieldworkDb,
  deleteFieldworkDb,
  openFieldworkDb,
} from '../../web/src/features/fieldwork/fieldwork-db.ts'
import { countWaiting } from '../../web/src/features/fieldwork/queue-read.ts'
import { rememberImage, saveNew } from '../../web/src/features/fieldwork/queue.ts'
import { unsent } from '../../web/src/features/fieldwork/capture.ts'
import { newTree, toTreeValues } from '../../web/src/record/habitat/habitat-form.ts'
import { newId } from '../../web/src/data/new-id.ts'
import { atLeast, atMost, type Figure, shown } from '../figures.ts'
import { GENERAL, inHouse } from '../maps/house.ts'
import { SHORT } from '../extent.ts'

const TREES = SHORT ? 24 : 1_000
const EVERY_NTH_HAS_A_PHOTO = 3
const CUTS = SHORT ? 4 : 50
const NAME = 'bench-feld'

/**
 * A line to the server that can be cut after a number of uploaded bytes, or at the next answer after that.
 */
class CuttableLine {
  readonly #server = createServer((device) => this.#join(device))
  readonly #sockets = new Set<Socket>()
  readonly #target: number
  #left = Infinity
  #answer = false
  cuts = 0
  bytes = 0
  constructor(target: number) {
    this.#target = target
  }
  async open(): Promise<string> {
    this.#server.listen(0, '127.0.0.1')
    await once(this.#server, 'listening')
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`
  }
  /** With `answer`, the server does the work but its answer never arrives. */
  cutAfter(bytes: number, answer: boolean) {
    this.#left = bytes
    this.#answer = answer
  }
  hold() {
    this.#left = Infinity
  }
  close() {
    this.#cut()
    this.#server.close()
  }
  #cut() {
    this.#left = Infinity
    for (const socket of this.#sockets) socket.destroy()
    this.#sockets.clear()
  }
  #join(device: Socket) {
    const server = connect(this.#target, '127.0.0.1')
    for (const socket of [device, server]) {
      this.#sockets.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => this.#sockets.delete(socket))
    }
    device.on('data', (piece) => {
      this.bytes += piece.length
      this.#left -= piece.length
      if (this.#left <= 0 && !this.#answer) {
        this.cuts++
        this.#left = Infinity
        // Only half of the piece arrives.
        server.write(piece.subarray(0, piece.length >> 1), () => this.#cut())
      } else server.write(piece)
    })
    server.on('data', (piece) => {
      if (this.#left <= 0) {
        this.cuts++
        this.#cut()
      } else device.write(piece)
    })
    device.on('close', () => server.destroy())
    server.on('close', () => device.destroy())
  }
}

/** 1,200 × 900 pixels, about 300 kB; each photo gets different bytes after the end of the image. */
async function motif(): Promise<Buffer> {
  return sharp(randomBytes(300 * 225 * 3), { raw: { width: 300, height: 225, channels: 3 } })
    .resize(1_200, 900, { fit: 'fill' })
    .jpeg({ quality: 90 })
    .toBuffer()
}

interface Captured {
  readonly baeume: ReadonlyMap<string, number>
  /** Photo → its tree and SHA-256. */
  readonly bilder: ReadonlyMap<string, { readonly baum: string; readonly sha256: string }>
  readonly bytes: number
}
async function captureAll(
  db: FieldworkDb,
  sub: string,
  ort: Pick<Habitatbaum, 'idHQ' | 'lon' | 'lat'>,
  picture: Buffer,
): Promise<Captured> {
  const trees = new Map<string, number>()
  const pictures = new Map<string, { baum: string; sha256: string }>()
  const { idHQ } = ort
  for (let nr = 0; nr < TREES; nr++) {
    const identifier = newId()
    const diameter = 20 + (nr % 800) / 10
    const values = toTreeValues({
      ...newTree('Feld'),
      art: 'bu',
      nummer: `F ${nr}`,
      lat: '51,1',
      lon: '9,1',
      lage_methode: 'gnss',
    })
    await saveNew(db, {
      sub,
      kennung: identifier,
      idHQ,
      werte: {
        ...values,
        bhd_cm: diameter,
        lon: ort.lon + (nr % 40) * 1e-4,
        lat: ort.lat + Math.floor(nr / 40) * 1e-4,
        genauigkeit_m: 4.2,
      },
      entwurf: 'neu',
      ersatz: newId(),
      present: new Date(),
    })
    trees.set(identifier, diameter)
    if (nr % EVERY_NTH_HAS_A_PHOTO !== 0) continue
    const bytes = Buffer.concat([picture, Buffer.from(`\n${identifier}`)])
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    const image = newId()
    pictures.set(image, { baum: identifier, sha256 })
    await rememberImage(db, {
      sub,
      kennung: image,
      baum: identifier,
      idHQ,
      stand: 'wartet',
      original: new Blob([bytes], { type: 'image/jpeg' }),
      sha256,
      groesse: bytes.length,
      typ: 'image/jpeg',
      name: `Feld ${nr}.jpg`,
      vorschau: null,
      aufgenommen_am: new Date().toISOString(),
      bemerkung: null,
      ...unsent(new Date().toISOString()),
    })
  }
  return { baeume: trees, bilder: pictures, bytes: pictures.size * picture.length + TREES * 700 }
}

/** Of what was captured: what the server has of it, and how often. */
async function arrivedOf(
  rest: <T>(path: string) => Promise<T>,
  recorded: Captured,
  before: { readonly baeume: number; readonly bilder: number },
): Promise<Figure[]> {
  const trees = await rest<Pick<Habitatbaum, 'kennung' | 'bhd_cm' | 'version'>[]>(
    'habitatbaeume?select=kennung,bhd_cm,version&limit=1000000',
  )
  const pictures = await rest<{ kennung: string; sha256: string; klein: string | null }[]>(
    'habitatbilder?select=kennung,sha256,klein&limit=1000000',
  )
  const there = trees.filter(({ kennung, bhd_cm }) => recorded.baeume.get(kennung) === Number(bhd_cm))
  const photos = pictures.filter(
    ({ kennung, sha256, klein }) => recorded.bilder.get(kennung)?.sha256 === sha256 && klein !== null,
  )
  return [
    atLeast(
      `trees of ${TREES} offline captures that are on the server as they were captured`,
      TREES,
      there.length,
      '',
    ),
    atLeast(
      `photos of ${recorded.bilder.size} that are there byte by byte and drawn`,
      recorded.bilder.size,
      photos.length,
      '',
    ),
    atMost(
      'trees and photos that are there twice or were not captured',
      0,
      trees.length - before.baeume - TREES + (pictures.length - before.bilder - recorded.bilder.size),
      '',
    ),
    atMost(
      'trees that were written more than once',
      0,
      there.filter(({ version }) => version !== 1).length,
      '',
    ),
  ]
}

export const measure = (): Promise<Figure[]> =>
  inHouse(async ({ app }) => {
    let { access_token: token } = await tokensOf(app, 'ogf_admin')
    const renew = async () => {
      ;({ access_token: token } = await tokensOf(app, 'ogf_admin'))
      return true
    }
    const sub = subOf(token)!
    const rest = async <T>(path: string): Promise<T> => {
      await renew()
      const answer = await fetch(`${app.origin}/rest/${path}`, {
        headers: { authorization: `Bearer ${token}` },
      })
      if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${await answer.text()}`)
      return (await answer.json()) as T
    }
    const count = async (table: string): Promise<number> =>
      (await rest<{ id: number }[]>(`${table}?select=id&limit=1000000`)).length
    const [ort] = await rest<Habitatbaum[]>('habitatbaeume?select=idHQ,lon,lat&order=id&limit=1')
    if (ort === undefined) throw new Error('the sample has no tree')
    const before = { baeume: await count('habitatbaeume'), bilder: await count('habitatbilder') }

    let db = await openFieldworkDb({ name: NAME })
    const began = performance.now()
    const recorded = await captureAll(db, sub, ort, await motif())
    const captured = (performance.now() - began) / 1000

    const line = new CuttableLine(app.port)
    const origin = await line.open()
    const attempt = async (): Promise<SyncSummary | null> => {
      // Starts again from what is stored.
      db.close()
      db = await openFieldworkDb({ name: NAME })
      const transport = createTransport(sub, {
        dataApi: `${origin}/rest`,
        generalApi: `${origin}${GENERAL}`,
        token: () => token,
        renew,
        chunk: 128 * 1024,
      })
      try {
        return await syncAll({
          db,
          sub,
          weg: transport,
          signal: new AbortController().signal,
          present: () => new Date(),
        })
      } catch (error) {
        if (error instanceof TransportError && error.code === 'netz') return null
        throw error
      }
    }
    const sent = performance.now()
    // An attempt that still meets a connection from before the cut ends without its own cut.
    for (let nr = 0; line.cuts < CUTS && nr < 4 * CUTS; nr++) {
      // Some cuts hit the first requests, the others are spread over the whole upload.
      const share = nr % 5 === 0 ? 2_000 + nr * 400 : (recorded.bytes / CUTS) * (0.2 + Math.random() * 0.6)
      line.cutAfter(share, line.cuts % 2 === 0)
      if ((await attempt()) !== null) break
    }
    const made = line.cuts
    line.hold()
    for (let nr = 0; nr < 5; nr++) {
      await attempt()
      const { baeume, bilder } = await countWaiting(db, sub)
      if (baeume + bilder === 0) break
    }
    const seconds = (performance.now() - sent) / 1000
    const left = await countWaiting(db, sub)
    line.close()

    const arrived = await arrivedOf(rest, recorded, before)
    db.close()
    await deleteFieldworkDb(NAME)
    return [
      ...arrived,
      atMost('captures and photos left on the device', 0, left.baeume + left.bilder, ''),
      atLeast('connections cut meanwhile, half of them between work and answer', CUTS, made, ''),
      shown(
        `capturing ${TREES} trees and ${recorded.bilder.size} photos into the device's storage`,
        captured,
        's',
      ),
      shown(`sending them with all cuts and new beginnings, on the server's own cores`, seconds, 's'),
      shown('bytes up the line for each byte captured', line.bytes / recorded.bytes, ''),
    ]
  })
