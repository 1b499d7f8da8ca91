// Ten devices of three people in one holding at once: each captures trees with photos, all of them change and
// inspect the same trees, and their lines lose requests and answers. In the end everything is there once, and no
// value of anybody was overwritten without being asked about. Storage is IndexedDB emulated in Node; queue, sync
// and upload are the product's own code, the server is real.
import 'fake-indexeddb/auto'
import { createHash } from 'node:crypto'
import sharp from 'sharp'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Habitatbaum } from '#contract/habitat.ts'
import { makeRandom, type Random } from '../db/seeds/random.ts'
import { newId } from '../web/src/data/new-id.ts'
import { sides, unsent } from '../web/src/features/fieldwork/capture.ts'
import {
  deleteFieldworkDb,
  type FieldworkDb,
  openFieldworkDb,
} from '../web/src/features/fieldwork/fieldwork-db.ts'
import { countWaiting, fetchQueue, fetchTree } from '../web/src/features/fieldwork/queue-read.ts'
import { rememberImage, resolveConflict, saveChange, saveNew } from '../web/src/features/fieldwork/queue.ts'
import { createTransport, subOf } from '../web/src/features/fieldwork/sync-transport.ts'
import { syncAll, TransportError } from '../web/src/features/fieldwork/sync.ts'
import { newTree, toTreeValues } from '../web/src/record/habitat/habitat-form.ts'
import { type RunningApp, startApp } from './app.ts'
import { call } from './calls.ts'
import { tokensOf } from './http-sign-in.ts'

const DEVICES = 10
const TREES_EACH = 8
const PHOTOS_EACH = 3
const SHARED = 4
/** Of a hundred requests, how many never arrive, and how many do their work and lose their answer. */
const [LOST, UNANSWERED] = [12, 12]
const MOST_ROUNDS = 200
const PEOPLE = ['ogf_admin', 'ogf_fb_admin', 'ogf_admin'] as const

interface Line {
  readonly origin: string
  readonly token: string
  readonly sub: string
}

/** A device whose storage outlives its windows. */
class Device {
  readonly nr: number
  readonly line: Line
  readonly trees: string[] = []
  readonly photos = new Map<string, string>()
  readonly inspections: string[] = []
  /** Tree → the diameter that was measured with this device. */
  readonly measured = new Map<string, number>()
  asked = 0
  #db!: FieldworkDb
  readonly #random: Random

  constructor(nr: number, line: Line) {
    this.nr = nr
    this.line = line
    this.#random = makeRandom(nr + 1)
  }
  get #name(): string {
    return `geraet-${this.nr}`
  }
  /** Closes the window wherever it was and opens a new one. */
  async restart(): Promise<void> {
    this.#db?.close()
    this.#db = await openFieldworkDb({ name: this.#name })
  }
  async end(): Promise<void> {
    this.#db.close()
    await deleteFieldworkDb(this.#name)
  }

  async capture(place: Habitatbaum, shared: readonly Habitatbaum[], picture: Buffer): Promise<void> {
    const { sub } = this.line
    const present = new Date()
    for (let at = 0; at < TREES_EACH; at++) {
      const identifier = newId()
      this.trees.push(identifier)
      const form = {
        ...newTree(`Gerät ${this.nr}`),
        art: 'bu',
        nummer: `${this.nr}-${at}`,
        lat: '51',
        lon: '9',
      }
      await saveNew(this.#db, {
        sub,
        kennung: identifier,
        idHQ: place.idHQ,
        werte: {
          ...toTreeValues({ ...form, lage_methode: 'gnss' }),
          bhd_cm: 40 + at,
          lon: place.lon,
          lat: place.lat,
        },
        entwurf: 'neu',
        ersatz: newId(),
        present,
      })
      if (at < PHOTOS_EACH) await this.#photograph(identifier, place.idHQ, picture, present)
    }
    for (const treeId of shared) {
      const { kennung, idHQ } = treeId
      await this.#db.put('baeume', { sub, kennung, idHQ, baum: treeId, bilder: 0 })
      // Thicker than any tree of the sample.
      const diameter = 300 + this.nr
      this.measured.set(kennung, diameter)
      const inspection = newId()
      this.inspections.push(inspection)
      await saveChange(this.#db, {
        sub,
        kennung,
        werte: { bhd_cm: diameter },
        kontrollen: [
          { kennung: inspection, datum: present.toISOString().slice(0, 10), ergebnis: 'vorhanden' },
        ],
        present,
      })
    }
  }

  async #photograph(treeId: string, idHQ: number, picture: Buffer, present: Date): Promise<void> {
    const bytes = new Uint8Array(Buffer.concat([picture, Buffer.from(`\n${newId()}`)]))
    const identifier = newId()
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    this.photos.set(identifier, sha256)
    await rememberImage(this.#db, {
      sub: this.line.sub,
      kennung: identifier,
      baum: treeId,
      idHQ,
      stand: 'wartet',
      original: new Blob([bytes], { type: 'image/jpeg' }),
      sha256,
      groesse: bytes.length,
      typ: 'image/jpeg',
      name: 'Stamm.jpg',
      vorschau: null,
      aufgenommen_am: present.toISOString(),
      bemerkung: null,
      ...unsent(present.toISOString()),
    })
  }

  /** Until nothing waits; a broken line ends an attempt, and the next one starts from what is stored. */
  async bringHome(): Promise<void> {
    for (let round = 0; round < MOST_ROUNDS; round++) {
      await this.#attempt()
      await this.restart()
      await this.#decide()
      const { baeume, bilder } = await countWaiting(this.#db, this.line.sub)
      if (baeume + bilder === 0) return
    }
    throw new Error(
      `device ${this.nr} still has ${JSON.stringify(await fetchQueue(this.#db, this.line.sub))}`,
    )
  }

  async #attempt(): Promise<void> {
    const { sub, origin, token } = this.line
    const losing: typeof fetch = async (input, init) => {
      const chance = this.#random.next() * 100
      if (chance < LOST) throw new TypeError('Failed to fetch')
      const answer = await fetch(input, init)
      if (chance > 100 - UNANSWERED) {
        await answer.arrayBuffer()
        throw new TypeError('Failed to fetch')
      }
      return answer
    }
    const transport = createTransport(sub, {
      dataApi: `${origin}/rest`,
      generalApi: `${origin}/prod-api`,
      token: () => token,
      renew: async () => false,
      fetch: losing,
      chunk: 8 * 1024,
    })
    const signal = new AbortController().signal
    await syncAll({ db: this.#db, sub, weg: transport, signal, present: () => new Date() }).catch(
      (error: unknown) => {
        if (!(error instanceof TransportError) || error.code !== 'netz') throw error
      },
    )
  }

  /** The person has seen both values and keeps the own one. */
  async #decide(): Promise<void> {
    const { sub } = this.line
    for (const { kennung, server } of (await fetchQueue(this.#db, sub)).konflikte) {
      this.asked += 1
      const situation = (await fetchTree(this.#db, sub, kennung))!
      expect(sides(situation.capture!, server as Habitatbaum).mine.bhd_cm).toBe(this.measured.get(kennung))
      await resolveConflict(this.#db, sub, kennung, { bhd_cm: this.measured.get(kennung)! }, new Date())
    }
  }
}

describe('ten devices in one holding', () => {
  let app: RunningApp
  const devices: Device[] = []
  beforeAll(async () => {
    app = await startApp({ env: { LOGIN_RATE_PER_MIN: '1000' } })
  }, 120_000)
  afterAll(async () => {
    for (const device of devices) await device.end()
    await app?.stop()
  })

  test('nothing is lost, nothing is there twice, nobody is overruled unasked', async () => {
    for (const device of devices.splice(0)) await device.end()
    const lines: Line[] = []
    for (const role of PEOPLE) {
      const { access_token: token } = await tokensOf(app, role)
      lines.push({ origin: app.origin, token, sub: subOf(token)! })
    }
    const rows = async <T>(path: string): Promise<T[]> =>
      (await call(app, lines[0]!.token, `/rest/${path}`)).json as T[]
    const shared = await rows<Habitatbaum>(`habitatbaeume?select=*&order=id&limit=${SHARED}`)
    const [place] = shared
    expect(shared.every(({ idHQ }) => idHQ === place!.idHQ)).toBe(true)
    const before = (await rows('habitatbaeume?select=id&limit=100000')).length
    const picture = await sharp({ create: { width: 300, height: 200, channels: 3, background: '#456' } })
      .jpeg()
      .toBuffer()
    for (let nr = 0; nr < DEVICES; nr++) {
      const device = new Device(nr, lines[nr % lines.length]!)
      devices.push(device)
      await device.restart()
      await device.capture(place!, shared, picture)
    }

    await Promise.all(devices.map((device) => device.bringHome()))

    const trees = await rows<Habitatbaum>('habitatbaeume?select=kennung,nummer,bhd_cm,version&limit=100000')
    expect(trees).toHaveLength(before + DEVICES * TREES_EACH)
    expect(new Set(trees.map(({ kennung }) => kennung)).size).toBe(trees.length)
    const byIdentifier = new Map(trees.map((tree) => [tree.kennung, tree]))
    const images = await rows<{ kennung: string; sha256: string }>(
      'habitatbilder?select=kennung,sha256&limit=100000',
    )
    const inspections = await rows<{ kennung: string }>('habitatkontrollen?select=kennung&limit=100000')
    for (const device of devices) {
      expect(device.trees.map((identifier) => byIdentifier.get(identifier)?.nummer)).toEqual(
        device.trees.map((_, at) => `${device.nr}-${at}`),
      )
      for (const [identifier, sha256] of device.photos)
        expect(images.filter((image) => image.kennung === identifier)).toEqual([
          { kennung: identifier, sha256 },
        ])
      for (const identifier of device.inspections)
        expect(inspections.filter((one) => one.kennung === identifier)).toHaveLength(1)
    }
    for (const { kennung, version } of shared) {
      const tree = byIdentifier.get(kennung)!
      // Each device's diameter was there once: the first unasked, every other one after its person was asked.
      expect(tree.version).toBe(version + DEVICES)
      expect(devices.map((device) => device.measured.get(kennung))).toContain(Number(tree.bhd_cm))
    }
    expect(devices.reduce((sum, { asked }) => sum + asked, 0)).toBeGreaterThanOrEqual((DEVICES - 1) * SHARED)
  })
})
