import 'fake-indexeddb/auto'
import fc from 'fast-check'
import { afterEach, describe, expect, test } from 'vitest'
import type { Habitatbaum } from '#contract/habitat.ts'
import { FIRST_VALUES, toTreeValues } from '../../record/habitat/habitat-form.ts'
import type { TreeValues } from '../../record/habitat/tree.ts'
import { newId } from '../../data/new-id.ts'
import { type SyncSummary, syncAll, pauseMs, TransportError } from './sync.ts'
import { createTransport } from './sync-transport.ts'
import { sides, unsent } from './capture.ts'
import { type FieldworkImage, type FieldworkDb, deleteFieldworkDb, openFieldworkDb } from './fieldwork-db.ts'
import { breakingAt, ModelServer, sha256, tokenFor } from './fieldwork-model.fixture.ts'
import { fetchTree, fetchQueue, countWaiting } from './queue-read.ts'
import {
  recreateDeleted,
  resolveConflict,
  rememberImage,
  saveChange,
  saveNew,
  discardCapture,
  retry,
} from './queue.ts'

const SUB = 'person-1'
const HQ = 11
const VALUES: TreeValues = {
  ...toTreeValues(FIRST_VALUES),
  art: 'bu',
  bhd_cm: 60,
  strukturen: '1.3x2 7.1',
  erfasst_am: '2026-11-22',
  erfasser: 'Feld',
  lon: 9.1234567,
  lat: 51.2345678,
  genauigkeit_m: 3.5,
  lage_methode: 'gnss',
}
const NOW = new Date('2026-11-22T09:00:00Z')
const open = new Set<string>()
let nr = 0
afterEach(async () => {
  for (const name of open) await deleteFieldworkDb(name)
  open.clear()
})

/** A device whose storage outlives its windows. */
class Device {
  readonly name = `geraet-${++nr}`
  readonly sub: string
  db!: FieldworkDb
  constructor(sub = SUB) {
    this.sub = sub
    open.add(this.name)
  }
  /** Closes the window wherever it was and opens a new one. */
  async restart(): Promise<this> {
    this.db?.close()
    this.db = await openFieldworkDb({ name: this.name })
    return this
  }
  neu(identifier: string, values: Partial<TreeValues> = {}) {
    return saveNew(this.db, {
      sub: this.sub,
      kennung: identifier,
      idHQ: HQ,
      werte: { ...VALUES, ...values },
      entwurf: 'neu',
      ersatz: newId(),
      present: NOW,
    })
  }
  applyChange(identifier: string, values: Partial<TreeValues>) {
    return saveChange(this.db, { sub: this.sub, kennung: identifier, werte: values, present: NOW })
  }
  inspection(tree: string, identifier: string) {
    const inspections = [{ kennung: identifier, datum: '2026-11-22', ergebnis: 'vorhanden' as const }]
    return saveChange(this.db, { sub: this.sub, kennung: tree, kontrollen: inspections, present: NOW })
  }
  async bild(tree: string, identifier: string, bytes: Uint8Array<ArrayBuffer>) {
    const picture: FieldworkImage = {
      sub: this.sub,
      kennung: identifier,
      baum: tree,
      idHQ: HQ,
      stand: 'wartet',
      original: new Blob([bytes], { type: 'image/jpeg' }),
      sha256: sha256(bytes),
      groesse: bytes.length,
      typ: 'image/jpeg',
      name: 'Stamm.jpg',
      vorschau: null,
      aufgenommen_am: NOW.toISOString(),
      bemerkung: 'Höhle nach Süden',
      ...unsent(NOW.toISOString()),
    }
    await rememberImage(this.db, picture)
  }
  /** Resolves with the summary; rejects if the connection breaks at `cutAt`. */
  syncAll(server: ModelServer, cutAt = -1, token = tokenFor(this.sub)): Promise<SyncSummary> {
    const transport = createTransport(this.sub, {
      dataApi: 'http://feld.test/rest',
      generalApi: 'http://feld.test/api',
      token: () => token,
      renew: async () => false,
      fetch: breakingAt(server, cutAt).fetch,
      chunk: 1_000,
    })
    return syncAll({
      db: this.db,
      sub: this.sub,
      weg: transport,
      signal: new AbortController().signal,
      present: () => NOW,
    })
  }
}
const photo = (seed: number, length: number) =>
  Uint8Array.from({ length }, (_, at) => (at * 31 + seed * 7) % 251)

describe('what waits arrives once, wherever the line breaks', () => {
  test('at every single point of the line', async () => {
    const trees = Array.from({ length: 3 }, newId)
    const pictures = Array.from({ length: 4 }, newId)
    const prepare = async () => {
      const device = await new Device().restart()
      for (const identifier of trees) await device.neu(identifier)
      for (const [at, identifier] of pictures.entries())
        await device.bild(trees[at % 3]!, identifier, photo(at, 2_300))
      return device
    }
    // An unbroken run counts the points.
    const whole = breakingAt(new ModelServer(), -1)
    const probe = await prepare()
    const transport = {
      dataApi: 'http://feld.test/rest',
      generalApi: 'http://feld.test/api',
      token: () => tokenFor(SUB),
      renew: async () => false,
    }
    await syncAll({
      db: probe.db,
      sub: SUB,
      weg: createTransport(SUB, { ...transport, fetch: whole.fetch, chunk: 1_000 }),
      signal: new AbortController().signal,
      present: () => NOW,
    })
    const points = whole.punkte()
    expect(points).toBeGreaterThanOrEqual(2 * (1 + 2 + 4 * 4))
    for (let cutAt = 0; cutAt < points; cutAt++) {
      const server = new ModelServer()
      const device = await prepare()
      await expect(device.syncAll(server, cutAt), `cut at ${cutAt}`).rejects.toMatchObject({ code: 'netz' })
      await device.restart()
      await device.syncAll(server)
      expect([...server.baeume.keys()].toSorted(), `trees after a cut at ${cutAt}`).toEqual(trees.toSorted())
      expect([...server.bilder.keys()].toSorted(), `photos after a cut at ${cutAt}`).toEqual(
        pictures.toSorted(),
      )
      expect(await countWaiting(device.db, SUB)).toEqual({ baeume: 0, bilder: 0 })
      device.db.close()
      await deleteFieldworkDb(device.name)
    }
  })

  test('random work in random order, with others at the same trees, over lines that break anywhere', async () => {
    const step = fc.oneof(
      fc.record({ was: fc.constant('neu' as const) }),
      fc.record({
        was: fc.constant('bhd' as const),
        baum: fc.nat(20),
        wert: fc.integer({ min: 10, max: 200 }),
      }),
      fc.record({ was: fc.constant('wort' as const), baum: fc.nat(20), wert: fc.nat(999) }),
      fc.record({
        was: fc.constant('bild' as const),
        baum: fc.nat(20),
        groesse: fc.integer({ min: 1, max: 3_500 }),
      }),
      fc.record({ was: fc.constant('kontrolle' as const), baum: fc.nat(20) }),
      fc.record({ was: fc.constant('buero' as const), baum: fc.nat(20), wert: fc.nat(999) }),
      fc.record({ was: fc.constant('abgleich' as const), cutAt: fc.nat(30) }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
        const server = new ModelServer()
        const device = await new Device().restart()
        const trees: string[] = []
        const diameter = new Map<string, number>()
        const wort = new Map<string, string>()
        const office = new Map<string, string>()
        const pictures = new Map<string, { baum: string; sha256: string }>()
        const inspections = new Map<string, string>()
        // Own values win over the office's; the person deciding has seen both.
        const decide = async () => {
          for (const { kennung, server: theirs } of (await fetchQueue(device.db, SUB)).konflikte) {
            const situation = (await fetchTree(device.db, SUB, kennung))!
            const { mine } = sides(situation.capture!, theirs as Habitatbaum)
            await resolveConflict(
              device.db,
              SUB,
              kennung,
              { bhd_cm: mine.bhd_cm, ...(wort.has(kennung) && { bemerkung: wort.get(kennung)! }) },
              NOW,
            )
          }
        }
        for (const [at, one] of steps.entries()) {
          const identifier = 'baum' in one ? trees[one.baum % Math.max(trees.length, 1)] : undefined
          if (one.was === 'neu') {
            const fresh = newId()
            trees.push(fresh)
            await device.neu(fresh, { nummer: String(at) })
          } else if (one.was === 'abgleich') {
            await device.syncAll(server, one.cutAt).catch((error: unknown) => {
              if (!(error instanceof TransportError)) throw error
            })
            await device.restart()
            await decide()
          } else if (identifier === undefined) continue
          else if (one.was === 'bhd') {
            diameter.set(identifier, one.wert)
            await device.applyChange(identifier, { bhd_cm: one.wert })
          } else if (one.was === 'wort') {
            wort.set(identifier, `feld ${one.wert}`)
            await device.applyChange(identifier, { bemerkung: `feld ${one.wert}` })
          } else if (one.was === 'kontrolle') {
            const fresh = newId()
            inspections.set(fresh, identifier)
            await device.inspection(identifier, fresh)
          } else if (one.was === 'bild') {
            const fresh = newId()
            const bytes = photo(at, one.groesse)
            pictures.set(fresh, { baum: identifier, sha256: sha256(bytes) })
            await device.bild(identifier, fresh, bytes)
          } else if (server.baeume.has(identifier)) {
            office.set(identifier, `büro ${one.wert}`)
            server.applyChange(identifier, { bemerkung: `büro ${one.wert}` })
            // If the device's value has arrived, the office may overwrite it.
            const situation = await fetchTree(device.db, SUB, identifier)
            if (situation?.capture === undefined) wort.delete(identifier)
          }
        }
        for (let round = 0; round < 6; round++) {
          await device.syncAll(server)
          await decide()
        }
        expect(await countWaiting(device.db, SUB)).toEqual({ baeume: 0, bilder: 0 })
        expect([...server.baeume.keys()].toSorted()).toEqual(trees.toSorted())
        expect(Object.fromEntries(server.bilder)).toEqual(Object.fromEntries(pictures))
        expect([...server.kontrollen.keys()].toSorted()).toEqual([...inspections.keys()].toSorted())
        for (const [identifier, tree] of inspections)
          expect(server.kontrollen.get(identifier)!.habitat_id).toBe(server.baeume.get(tree)!.id)
        for (const [identifier, wert] of diameter) expect(server.baeume.get(identifier)!.bhd_cm).toBe(wert)
        for (const identifier of trees) {
          const [here, there] = [
            (await fetchTree(device.db, SUB, identifier))!.baum!.baum,
            server.baeume.get(identifier)!,
          ]
          if (here.version === there.version) expect(here).toEqual(there)
          else expect(here.version).toBeLessThan(there.version)
          // A value is only ever lost to a later one from the other side.
          const words = [wort.get(identifier), office.get(identifier)].filter((word) => word !== undefined)
          expect(words.length === 0 ? [null] : words).toContain(there.bemerkung)
        }
        device.db.close()
        await deleteFieldworkDb(device.name)
      }),
      { numRuns: 120 },
    )
  })
})

describe('what somebody else did meanwhile', () => {
  const known = async () => {
    const server = new ModelServer()
    const device = await new Device().restart()
    const identifier = newId()
    await device.neu(identifier)
    await device.syncAll(server)
    return { server, device, kennung: identifier }
  }

  test('another field: both stand', async () => {
    const { server, device, kennung } = await known()
    await device.applyChange(kennung, { bhd_cm: 71 })
    server.applyChange(kennung, { bemerkung: 'Büro war da' })
    expect(await device.syncAll(server)).toMatchObject({ baeume: 1, konflikte: 0 })
    expect(server.baeume.get(kennung)).toMatchObject({ bhd_cm: 71, bemerkung: 'Büro war da' })
  })

  test('the same field: nothing is overwritten until the person has chosen', async () => {
    const { server, device, kennung } = await known()
    await device.applyChange(kennung, { bhd_cm: 71, hoehe_m: 30 })
    server.applyChange(kennung, { bhd_cm: 80 })
    expect(await device.syncAll(server)).toMatchObject({ baeume: 0, konflikte: 1 })
    expect(server.baeume.get(kennung)).toMatchObject({ bhd_cm: 80, hoehe_m: null })
    const { capture, conflict } = (await fetchTree(device.db, SUB, kennung))!
    const { base, mine, theirs } = sides(capture!, conflict!.server)
    expect([base.bhd_cm, mine.bhd_cm, theirs.bhd_cm]).toEqual([60, 71, 80])
    await device.syncAll(server)
    expect(server.baeume.get(kennung)!.version, 'it is not sent again of itself').toBe(2)
    await resolveConflict(device.db, SUB, kennung, { hoehe_m: 30 }, NOW)
    await device.syncAll(server)
    expect(server.baeume.get(kennung)).toMatchObject({ bhd_cm: 80, hoehe_m: 30 })
    expect(await countWaiting(device.db, SUB)).toEqual({ baeume: 0, bilder: 0 })
  })

  test('a place that both moved is one matter, though they changed different numbers of it', async () => {
    const { server, device, kennung } = await known()
    await device.applyChange(kennung, { lon: 9.2 })
    server.applyChange(kennung, { lat: 51.3 })
    expect(await device.syncAll(server)).toMatchObject({ konflikte: 1 })
  })

  test('a change that was cut off and then changed again is no conflict with oneself', async () => {
    const { server, device, kennung } = await known()
    await device.applyChange(kennung, { bhd_cm: 71 })
    // Breaks after the server has written it.
    await expect(device.syncAll(server, 1)).rejects.toBeInstanceOf(TransportError)
    expect(server.baeume.get(kennung)!.bhd_cm).toBe(71)
    await device.applyChange(kennung, { bhd_cm: 72, hoehe_m: 20 })
    expect(await device.syncAll(server)).toMatchObject({ konflikte: 0 })
    expect(server.baeume.get(kennung)).toMatchObject({ bhd_cm: 72, hoehe_m: 20, version: 3 })
  })

  test('what was accepted before the line broke is mine in a later conflict about something else', async () => {
    const { server, device, kennung } = await known()
    await device.applyChange(kennung, { bhd_cm: 73 })
    await expect(device.syncAll(server, 1)).rejects.toBeInstanceOf(TransportError)
    server.applyChange(kennung, { bemerkung: 'Büro' })
    await device.applyChange(kennung, { bemerkung: 'Feld' })
    expect(await device.syncAll(server)).toMatchObject({ konflikte: 1 })
    const { capture, conflict } = (await fetchTree(device.db, SUB, kennung))!
    const { base, mine, theirs } = sides(capture!, conflict!.server)
    expect([base.bhd_cm, mine.bhd_cm, theirs.bhd_cm]).toEqual([73, 73, 73])
    expect([base.bemerkung, mine.bemerkung, theirs.bemerkung]).toEqual([null, 'Feld', 'Büro'])
  })

  test('of a new tree too', async () => {
    const server = new ModelServer()
    const device = await new Device().restart()
    const treeId = newId()
    await device.neu(treeId)
    await expect(device.syncAll(server, 1)).rejects.toBeInstanceOf(TransportError)
    server.applyChange(treeId, { bemerkung: 'Büro' })
    await device.applyChange(treeId, { bemerkung: 'Feld' })
    expect(await device.syncAll(server)).toMatchObject({ konflikte: 1 })
    const { capture, conflict } = (await fetchTree(device.db, SUB, treeId))!
    const { base, mine, theirs } = sides(capture!, conflict!.server)
    expect([base.bemerkung, mine.bemerkung, theirs.bemerkung]).toEqual([null, 'Feld', 'Büro'])
    expect([base.bhd_cm, mine.bhd_cm]).toEqual([60, 60])
    await resolveConflict(device.db, SUB, treeId, { bemerkung: 'Feld' }, NOW)
    await device.syncAll(server)
    expect(server.baeume.get(treeId)).toMatchObject({ bemerkung: 'Feld', bhd_cm: 60 })
  })

  test('a form that was open while the sync ran overwrites nothing that its person has not seen', async () => {
    const { server, device, kennung } = await known()
    // The form is opened while an own change is still pending …
    await device.applyChange(kennung, { bhd_cm: 71 })
    const { treeView, baum } = (await fetchTree(device.db, SUB, kennung))!
    const viewed = { version: baum!.baum.version, werte: treeView.werte }
    // … which is then sent, and somebody else changes the height, which the next sync brings here.
    await device.syncAll(server)
    server.applyChange(kennung, { hoehe_m: 30 })
    await device.inspection(kennung, newId())
    await device.syncAll(server)
    await saveChange(device.db, { sub: SUB, kennung, werte: { bhd_cm: 72 }, viewed, present: NOW })
    expect(await device.syncAll(server)).toMatchObject({ baeume: 1, konflikte: 0 })
    expect(server.baeume.get(kennung)).toMatchObject({ bhd_cm: 72, hoehe_m: 30 })
    await saveChange(device.db, { sub: SUB, kennung, werte: { hoehe_m: 25 }, viewed, present: NOW })
    expect(await device.syncAll(server)).toMatchObject({ konflikte: 1 })
    expect(server.baeume.get(kennung)).toMatchObject({ hoehe_m: 30 })
  })

  test('deleted: brought back as a new tree with its photos, or given up', async () => {
    const { server, device, kennung } = await known()
    await device.applyChange(kennung, { bhd_cm: 71 })
    await device.bild(kennung, newId(), photo(1, 50))
    server.remove(kennung)
    expect(await device.syncAll(server)).toMatchObject({ konflikte: 1, bilder: 0 })
    expect((await fetchTree(device.db, SUB, kennung))!.treeView).toMatchObject({
      stand: 'geloescht',
      werte: { art: 'bu', bhd_cm: 71 },
    })
    const fresh = (await recreateDeleted(device.db, { sub: SUB, kennung, newId, present: NOW }))!
    await device.syncAll(server)
    expect(server.baeume.get(fresh)).toMatchObject({
      art: 'bu',
      bhd_cm: 71,
      strukturen: [
        { code: '1.3', menge: 2 },
        { code: '7.1', menge: null },
      ],
    })
    expect([...server.bilder.values()].map(({ baum }) => baum)).toEqual([fresh])

    await device.applyChange(fresh, { bhd_cm: 72 })
    server.remove(fresh)
    await device.syncAll(server)
    expect(await discardCapture(device.db, SUB, fresh)).toBe(true)
    expect(await fetchTree(device.db, SUB, fresh)).toBeNull()
  })

  test('refused: nothing of it is lost, and it goes out once it is put right', async () => {
    const server = new ModelServer()
    const device = await new Device().restart()
    const [good, bad] = [newId(), newId()]
    server.refusals.set(bad, ['habitat_bhd', 'bhd_cm'])
    await device.neu(bad, { bhd_cm: 900 })
    await device.neu(good)
    await device.bild(bad, newId(), photo(2, 20))
    expect(await device.syncAll(server)).toMatchObject({ baeume: 1, abgelehnt: 1, bilder: 0 })
    const { capture } = (await fetchTree(device.db, SUB, bad))!
    expect(capture).toMatchObject({
      stand: 'abgelehnt',
      werte: { bhd_cm: 900 },
      antwort: { regel: 'habitat_bhd', feld: 'bhd_cm' },
    })
    server.refusals.clear()
    await device.applyChange(bad, { bhd_cm: 90 })
    expect(await device.syncAll(server)).toMatchObject({ baeume: 1, bilder: 1 })
    expect(server.baeume.get(bad)!.bhd_cm).toBe(90)
  })

  test('a photo that was deleted at the office waits for the person and does not stop the others', async () => {
    const { server, device, kennung } = await known()
    const [gone, good] = [newId(), newId()]
    server.deleted.add(gone)
    await device.bild(kennung, gone, photo(3, 2_000))
    await device.bild(kennung, good, photo(4, 2_000))
    expect(await device.syncAll(server)).toMatchObject({ bilder: 1, abgelehnt: 1 })
    expect((await fetchQueue(device.db, SUB)).bilder).toMatchObject([
      { kennung: gone, stand: 'abgelehnt', regel: 'habitat_geloescht' },
    ])
    await retry(device.db, SUB, gone)
    expect(await device.syncAll(server)).toMatchObject({ bilder: 0, abgelehnt: 1 })
  })
})

describe('who and what', () => {
  test('a photo leaves the device only for the same bytes under its name', async () => {
    const server = new ModelServer()
    const device = await new Device().restart()
    const [tree, picture] = [newId(), newId()]
    await device.neu(tree)
    await device.bild(tree, picture, photo(5, 100))
    server.bilder.set(picture, { baum: tree, sha256: 'f'.repeat(64) })
    await device.syncAll(server)
    expect((await fetchQueue(device.db, SUB)).bilder).toMatchObject([
      { stand: 'abgelehnt', regel: 'habitat_kennung_vergeben' },
    ])
  })

  test('nobody sends what another person captured on the same device', async () => {
    const server = new ModelServer()
    const device = await new Device().restart()
    await device.neu(newId())
    await expect(device.syncAll(server, -1, tokenFor('person-2'))).rejects.toMatchObject({
      code: 'anmeldung',
    })
    expect(server.requestCount).toBe(0)
    expect(await countWaiting(device.db, 'person-2')).toEqual({ baeume: 0, bilder: 0 })
    expect(await countWaiting(device.db, SUB)).toEqual({ baeume: 1, bilder: 0 })
  })

  test('what is on its way cannot be given up; what was never sent can', async () => {
    const server = new ModelServer()
    const device = await new Device().restart()
    const identifier = newId()
    await device.neu(identifier)
    await expect(device.syncAll(server, 1)).rejects.toBeInstanceOf(TransportError)
    expect(await discardCapture(device.db, SUB, identifier)).toBe(false)
    const other = newId()
    await device.neu(other)
    expect(await discardCapture(device.db, SUB, other)).toBe(true)
    await device.syncAll(server)
    expect([...server.baeume.keys()]).toEqual([identifier])
  })

  test('the same form saved by two windows makes two trees and loses none', async () => {
    const device = await new Device().restart()
    const identifier = newId()
    expect(await device.neu(identifier, { nummer: '1' })).toBe(identifier)
    expect(await device.neu(identifier, { nummer: '2' })).not.toBe(identifier)
    expect(
      (await fetchQueue(device.db, SUB)).erfassungen
        .map(({ werte }) => String((werte as Partial<TreeValues>).nummer))
        .toSorted(),
    ).toEqual(['1', '2'])
  })

  test('what is set back to what the server has waits no longer', async () => {
    const server = new ModelServer()
    const device = await new Device().restart()
    const identifier = newId()
    await device.neu(identifier)
    await device.syncAll(server)
    await device.applyChange(identifier, { bhd_cm: 61 })
    await device.applyChange(identifier, { bhd_cm: 60 })
    expect(await countWaiting(device.db, SUB)).toEqual({ baeume: 0, bilder: 0 })
  })

  test('pauses grow and do not end', () => {
    const pauses = Array.from({ length: 9 }, (_, at) => pauseMs(at + 1, 0.5))
    expect(pauses).toEqual([2_000, 5_000, 15_000, 30_000, 60_000, 120_000, 300_000, 300_000, 300_000])
    expect(pauseMs(1, 0)).toBeLessThan(pauseMs(1, 1))
  })
})
