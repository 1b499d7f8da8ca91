import 'fake-indexeddb/auto'
import fc from 'fast-check'
import { afterEach, describe, expect, test } from 'vitest'
import type { BaumWerte } from '../../record/habitat/baum.ts'
import { neueKennung } from '../../record/habitat/kennung.ts'
import { type Bilanz, gleicheAb, pauseMs, WegFehler } from './abgleich.ts'
import { createWeg } from './abgleich-weg.ts'
import { seiten, ungesendet } from './erfassung.ts'
import { type FeldBild, type FeldDb, loescheFeldDb, openFeldDb } from './feld-db.ts'
import { brechend, ModellServer, sha256, tokenFuer } from './feld-modell.fixture.ts'
import {
  fetchBaum,
  fetchSchlange,
  legeGeloeschtenNeuAn,
  loeseKonflikt,
  merkeBild,
  speichereAenderung,
  speichereNeu,
  verwirfErfassung,
  versucheErneut,
  zaehleWartende,
} from './schlange.ts'

const SUB = 'person-1'
const HQ = 11
const WERTE: BaumWerte = {
  nummer: null,
  art: 'bu',
  art_text: null,
  bhd_cm: 60,
  hoehe_m: null,
  zustand: 'lebend',
  status: 'baum',
  strukturen: '1.3x2 7.1',
  markierung_art: null,
  markierung_datum: null,
  erfasst_am: '2026-11-22',
  erfasser: 'Feld',
  lon: 9.1234567,
  lat: 51.2345678,
  genauigkeit_m: 3.5,
  lage_methode: 'gnss',
  sLVL01: null,
  sLVL02: null,
  sLVL03: null,
  sLVL04: null,
  sLVL05: null,
  iSTAND: null,
  bemerkung: null,
  verlust_datum: null,
  verlust_grund: null,
  kawm: true,
}
const JETZT = new Date('2026-11-22T09:00:00Z')
const open = new Set<string>()
let nr = 0
afterEach(async () => {
  for (const name of open) await loescheFeldDb(name)
  open.clear()
})

/** A device with its storage, which outlives its windows. */
class Geraet {
  readonly name = `geraet-${++nr}`
  readonly sub: string
  db!: FeldDb
  constructor(sub = SUB) {
    this.sub = sub
    open.add(this.name)
  }
  /** The window is closed wherever it stood, and opened anew. */
  async neuStarten(): Promise<this> {
    this.db?.close()
    this.db = await openFeldDb({ name: this.name })
    return this
  }
  neu(kennung: string, werte: Partial<BaumWerte> = {}) {
    return speichereNeu(this.db, {
      sub: this.sub,
      kennung,
      idHQ: HQ,
      werte: { ...WERTE, ...werte },
      entwurf: 'neu',
      ersatz: neueKennung(),
      jetzt: JETZT,
    })
  }
  aendere(kennung: string, werte: Partial<BaumWerte>) {
    return speichereAenderung(this.db, { sub: this.sub, kennung, werte, jetzt: JETZT })
  }
  kontrolle(baum: string, kennung: string) {
    const kontrollen = [{ kennung, datum: '2026-11-22', ergebnis: 'vorhanden' as const }]
    return speichereAenderung(this.db, { sub: this.sub, kennung: baum, kontrollen, jetzt: JETZT })
  }
  async bild(baum: string, kennung: string, bytes: Uint8Array<ArrayBuffer>) {
    const bild: FeldBild = {
      sub: this.sub,
      kennung,
      baum,
      idHQ: HQ,
      stand: 'wartet',
      original: new Blob([bytes], { type: 'image/jpeg' }),
      sha256: sha256(bytes),
      groesse: bytes.length,
      typ: 'image/jpeg',
      name: 'Stamm.jpg',
      vorschau: null,
      aufgenommen_am: JETZT.toISOString(),
      bemerkung: 'Höhle nach Süden',
      ...ungesendet(JETZT.toISOString()),
    }
    await merkeBild(this.db, bild)
  }
  /** Answers at which point of the line it ended, or what was done. */
  gleicheAb(server: ModellServer, schnitt = -1, token = tokenFuer(this.sub)): Promise<Bilanz> {
    const weg = createWeg(this.sub, {
      dataApi: 'http://feld.test/rest',
      generalApi: 'http://feld.test/api',
      token: () => token,
      renew: async () => false,
      fetch: brechend(server, schnitt).fetch,
      stueck: 1_000,
    })
    return gleicheAb({ db: this.db, sub: this.sub, weg, signal: new AbortController().signal, jetzt: () => JETZT })
  }
}
const foto = (seed: number, length: number) => Uint8Array.from({ length }, (_, at) => (at * 31 + seed * 7) % 251)

describe('what waits arrives once, wherever the line breaks', () => {
  test('at every single point of the line', async () => {
    const baeume = Array.from({ length: 3 }, neueKennung)
    const bilder = Array.from({ length: 4 }, neueKennung)
    const prepare = async () => {
      const geraet = await new Geraet().neuStarten()
      for (const kennung of baeume) await geraet.neu(kennung)
      for (const [at, kennung] of bilder.entries()) await geraet.bild(baeume[at % 3]!, kennung, foto(at, 2_300))
      return geraet
    }
    // How many points there are is learnt from a line that holds.
    const whole = brechend(new ModellServer(), -1)
    const probe = await prepare()
    const weg = {
      dataApi: 'http://feld.test/rest',
      generalApi: 'http://feld.test/api',
      token: () => tokenFuer(SUB),
      renew: async () => false,
    }
    await gleicheAb({
      db: probe.db,
      sub: SUB,
      weg: createWeg(SUB, { ...weg, fetch: whole.fetch, stueck: 1_000 }),
      signal: new AbortController().signal,
      jetzt: () => JETZT,
    })
    const points = whole.punkte()
    expect(points).toBeGreaterThanOrEqual(2 * (1 + 2 + 4 * 4))
    for (let schnitt = 0; schnitt < points; schnitt++) {
      const server = new ModellServer()
      const geraet = await prepare()
      await expect(geraet.gleicheAb(server, schnitt), `cut at ${schnitt}`).rejects.toMatchObject({ code: 'netz' })
      await geraet.neuStarten()
      await geraet.gleicheAb(server)
      expect([...server.baeume.keys()].toSorted(), `trees after a cut at ${schnitt}`).toEqual(baeume.toSorted())
      expect([...server.bilder.keys()].toSorted(), `photos after a cut at ${schnitt}`).toEqual(bilder.toSorted())
      expect(await zaehleWartende(geraet.db, SUB)).toEqual({ baeume: 0, bilder: 0 })
      geraet.db.close()
      await loescheFeldDb(geraet.name)
    }
  })

  test('random work in random order, with others at the same trees, over lines that break anywhere', async () => {
    const step = fc.oneof(
      fc.record({ was: fc.constant('neu' as const) }),
      fc.record({ was: fc.constant('bhd' as const), baum: fc.nat(20), wert: fc.integer({ min: 10, max: 200 }) }),
      fc.record({ was: fc.constant('wort' as const), baum: fc.nat(20), wert: fc.nat(999) }),
      fc.record({ was: fc.constant('bild' as const), baum: fc.nat(20), groesse: fc.integer({ min: 1, max: 3_500 }) }),
      fc.record({ was: fc.constant('kontrolle' as const), baum: fc.nat(20) }),
      fc.record({ was: fc.constant('buero' as const), baum: fc.nat(20), wert: fc.nat(999) }),
      fc.record({ was: fc.constant('abgleich' as const), schnitt: fc.nat(30) }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
        const server = new ModellServer()
        const geraet = await new Geraet().neuStarten()
        const baeume: string[] = []
        const bhd = new Map<string, number>()
        const wort = new Map<string, string>()
        const buero = new Map<string, string>()
        const bilder = new Map<string, { baum: string; sha256: string }>()
        const kontrollen = new Map<string, string>()
        // Own words hold against the office's; who decides has seen both.
        const decide = async () => {
          for (const { kennung, server: theirs } of (await fetchSchlange(geraet.db, SUB)).konflikte) {
            const lage = (await fetchBaum(geraet.db, SUB, kennung))!
            const { mine } = seiten(lage.erfassung!, theirs)
            await loeseKonflikt(
              geraet.db,
              SUB,
              kennung,
              { bhd_cm: mine.bhd_cm, ...(wort.has(kennung) && { bemerkung: wort.get(kennung)! }) },
              JETZT,
            )
          }
        }
        for (const [at, one] of steps.entries()) {
          const kennung = 'baum' in one ? baeume[one.baum % Math.max(baeume.length, 1)] : undefined
          if (one.was === 'neu') {
            const fresh = neueKennung()
            baeume.push(fresh)
            await geraet.neu(fresh, { nummer: String(at) })
          } else if (one.was === 'abgleich') {
            await geraet.gleicheAb(server, one.schnitt).catch((error: unknown) => {
              if (!(error instanceof WegFehler)) throw error
            })
            await geraet.neuStarten()
            await decide()
          } else if (kennung === undefined) continue
          else if (one.was === 'bhd') {
            bhd.set(kennung, one.wert)
            await geraet.aendere(kennung, { bhd_cm: one.wert })
          } else if (one.was === 'wort') {
            wort.set(kennung, `feld ${one.wert}`)
            await geraet.aendere(kennung, { bemerkung: `feld ${one.wert}` })
          } else if (one.was === 'kontrolle') {
            const fresh = neueKennung()
            kontrollen.set(fresh, kennung)
            await geraet.kontrolle(kennung, fresh)
          } else if (one.was === 'bild') {
            const fresh = neueKennung()
            const bytes = foto(at, one.groesse)
            bilder.set(fresh, { baum: kennung, sha256: sha256(bytes) })
            await geraet.bild(kennung, fresh, bytes)
          } else if (server.baeume.has(kennung)) {
            buero.set(kennung, `büro ${one.wert}`)
            server.aendere(kennung, { bemerkung: `büro ${one.wert}` })
            // What the device had said of it is then the office's to change, if it has arrived.
            const lage = await fetchBaum(geraet.db, SUB, kennung)
            if (lage?.erfassung === undefined) wort.delete(kennung)
          }
        }
        for (let round = 0; round < 6; round++) {
          await geraet.gleicheAb(server)
          await decide()
        }
        expect(await zaehleWartende(geraet.db, SUB)).toEqual({ baeume: 0, bilder: 0 })
        expect([...server.baeume.keys()].toSorted()).toEqual(baeume.toSorted())
        expect(Object.fromEntries(server.bilder)).toEqual(Object.fromEntries(bilder))
        expect([...server.kontrollen.keys()].toSorted()).toEqual([...kontrollen.keys()].toSorted())
        for (const [kennung, tree] of kontrollen) expect(server.kontrollen.get(kennung)!.habitat_id).toBe(server.baeume.get(tree)!.id)
        for (const [kennung, wert] of bhd) expect(server.baeume.get(kennung)!.bhd_cm).toBe(wert)
        for (const kennung of baeume) {
          const [here, there] = [(await fetchBaum(geraet.db, SUB, kennung))!.baum!.baum, server.baeume.get(kennung)!]
          if (here.version === there.version) expect(here).toEqual(there)
          else expect(here.version).toBeLessThan(there.version)
          // Nobody's word is lost but to the other's later one.
          const words = [wort.get(kennung), buero.get(kennung)].filter((word) => word !== undefined)
          expect(words.length === 0 ? [null] : words).toContain(there.bemerkung)
        }
        geraet.db.close()
        await loescheFeldDb(geraet.name)
      }),
      { numRuns: 120 },
    )
  })
})

describe('what somebody else did meanwhile', () => {
  const known = async () => {
    const server = new ModellServer()
    const geraet = await new Geraet().neuStarten()
    const kennung = neueKennung()
    await geraet.neu(kennung)
    await geraet.gleicheAb(server)
    return { server, geraet, kennung }
  }

  test('another field: both stand', async () => {
    const { server, geraet, kennung } = await known()
    await geraet.aendere(kennung, { bhd_cm: 71 })
    server.aendere(kennung, { bemerkung: 'Büro war da' })
    expect(await geraet.gleicheAb(server)).toMatchObject({ baeume: 1, konflikte: 0 })
    expect(server.baeume.get(kennung)).toMatchObject({ bhd_cm: 71, bemerkung: 'Büro war da' })
  })

  test('the same field: nothing is overwritten until the person has chosen', async () => {
    const { server, geraet, kennung } = await known()
    await geraet.aendere(kennung, { bhd_cm: 71, hoehe_m: 30 })
    server.aendere(kennung, { bhd_cm: 80 })
    expect(await geraet.gleicheAb(server)).toMatchObject({ baeume: 0, konflikte: 1 })
    expect(server.baeume.get(kennung)).toMatchObject({ bhd_cm: 80, hoehe_m: null })
    const { erfassung, konflikt } = (await fetchBaum(geraet.db, SUB, kennung))!
    const { base, mine, theirs } = seiten(erfassung!, konflikt!.server)
    expect([base.bhd_cm, mine.bhd_cm, theirs.bhd_cm]).toEqual([60, 71, 80])
    await geraet.gleicheAb(server)
    expect(server.baeume.get(kennung)!.version, 'it is not sent again of itself').toBe(2)
    await loeseKonflikt(geraet.db, SUB, kennung, { hoehe_m: 30 }, JETZT)
    await geraet.gleicheAb(server)
    expect(server.baeume.get(kennung)).toMatchObject({ bhd_cm: 80, hoehe_m: 30 })
    expect(await zaehleWartende(geraet.db, SUB)).toEqual({ baeume: 0, bilder: 0 })
  })

  test('a place that both moved is one matter, though they changed different numbers of it', async () => {
    const { server, geraet, kennung } = await known()
    await geraet.aendere(kennung, { lon: 9.2 })
    server.aendere(kennung, { lat: 51.3 })
    expect(await geraet.gleicheAb(server)).toMatchObject({ konflikte: 1 })
  })

  test('a change that was cut off and then changed again is no conflict with oneself', async () => {
    const { server, geraet, kennung } = await known()
    await geraet.aendere(kennung, { bhd_cm: 71 })
    // After the server has written it.
    await expect(geraet.gleicheAb(server, 1)).rejects.toBeInstanceOf(WegFehler)
    expect(server.baeume.get(kennung)!.bhd_cm).toBe(71)
    await geraet.aendere(kennung, { bhd_cm: 72, hoehe_m: 20 })
    expect(await geraet.gleicheAb(server)).toMatchObject({ konflikte: 0 })
    expect(server.baeume.get(kennung)).toMatchObject({ bhd_cm: 72, hoehe_m: 20, version: 3 })
  })

  test('a form that was open while the sync ran overwrites nothing that its person has not seen', async () => {
    const { server, geraet, kennung } = await known()
    // Opened with a change of one's own that still waits …
    await geraet.aendere(kennung, { bhd_cm: 71 })
    const { sicht, baum } = (await fetchBaum(geraet.db, SUB, kennung))!
    const gesehen = { version: baum!.baum.version, werte: sicht.werte }
    // … which goes out meanwhile, and somebody else changes the height, which another change brings here.
    await geraet.gleicheAb(server)
    server.aendere(kennung, { hoehe_m: 30 })
    await geraet.kontrolle(kennung, neueKennung())
    await geraet.gleicheAb(server)
    await speichereAenderung(geraet.db, { sub: SUB, kennung, werte: { bhd_cm: 72 }, gesehen, jetzt: JETZT })
    expect(await geraet.gleicheAb(server)).toMatchObject({ baeume: 1, konflikte: 0 })
    expect(server.baeume.get(kennung)).toMatchObject({ bhd_cm: 72, hoehe_m: 30 })
    await speichereAenderung(geraet.db, { sub: SUB, kennung, werte: { hoehe_m: 25 }, gesehen, jetzt: JETZT })
    expect(await geraet.gleicheAb(server)).toMatchObject({ konflikte: 1 })
    expect(server.baeume.get(kennung)).toMatchObject({ hoehe_m: 30 })
  })

  test('deleted: brought back as a new tree with its photos, or given up', async () => {
    const { server, geraet, kennung } = await known()
    await geraet.aendere(kennung, { bhd_cm: 71 })
    await geraet.bild(kennung, neueKennung(), foto(1, 50))
    server.loesche(kennung)
    expect(await geraet.gleicheAb(server)).toMatchObject({ konflikte: 1, bilder: 0 })
    expect((await fetchBaum(geraet.db, SUB, kennung))!.sicht).toMatchObject({ stand: 'geloescht', werte: { art: 'bu', bhd_cm: 71 } })
    const fresh = (await legeGeloeschtenNeuAn(geraet.db, { sub: SUB, kennung, neueKennung, jetzt: JETZT }))!
    await geraet.gleicheAb(server)
    expect(server.baeume.get(fresh)).toMatchObject({
      art: 'bu',
      bhd_cm: 71,
      strukturen: [
        { code: '1.3', menge: 2 },
        { code: '7.1', menge: null },
      ],
    })
    expect([...server.bilder.values()].map(({ baum }) => baum)).toEqual([fresh])

    await geraet.aendere(fresh, { bhd_cm: 72 })
    server.loesche(fresh)
    await geraet.gleicheAb(server)
    expect(await verwirfErfassung(geraet.db, SUB, fresh)).toBe(true)
    expect(await fetchBaum(geraet.db, SUB, fresh)).toBeNull()
  })

  test('refused: nothing of it is lost, and it goes out once it is put right', async () => {
    const server = new ModellServer()
    const geraet = await new Geraet().neuStarten()
    const [good, bad] = [neueKennung(), neueKennung()]
    server.weigert.set(bad, ['habitat_bhd', 'bhd_cm'])
    await geraet.neu(bad, { bhd_cm: 900 })
    await geraet.neu(good)
    await geraet.bild(bad, neueKennung(), foto(2, 20))
    expect(await geraet.gleicheAb(server)).toMatchObject({ baeume: 1, abgelehnt: 1, bilder: 0 })
    const { erfassung } = (await fetchBaum(geraet.db, SUB, bad))!
    expect(erfassung).toMatchObject({ stand: 'abgelehnt', werte: { bhd_cm: 900 }, antwort: { regel: 'habitat_bhd', feld: 'bhd_cm' } })
    server.weigert.clear()
    await geraet.aendere(bad, { bhd_cm: 90 })
    expect(await geraet.gleicheAb(server)).toMatchObject({ baeume: 1, bilder: 1 })
    expect(server.baeume.get(bad)!.bhd_cm).toBe(90)
  })

  test('a photo that was deleted at the office waits for the person and does not stop the others', async () => {
    const { server, geraet, kennung } = await known()
    const [gone, good] = [neueKennung(), neueKennung()]
    server.geloescht.add(gone)
    await geraet.bild(kennung, gone, foto(3, 2_000))
    await geraet.bild(kennung, good, foto(4, 2_000))
    expect(await geraet.gleicheAb(server)).toMatchObject({ bilder: 1, abgelehnt: 1 })
    expect((await fetchSchlange(geraet.db, SUB)).bilder).toMatchObject([{ kennung: gone, stand: 'abgelehnt', regel: 'habitat_geloescht' }])
    await versucheErneut(geraet.db, SUB, gone)
    expect(await geraet.gleicheAb(server)).toMatchObject({ bilder: 0, abgelehnt: 1 })
  })
})

describe('who and what', () => {
  test('a photo leaves the device only for the same bytes under its name', async () => {
    const server = new ModellServer()
    const geraet = await new Geraet().neuStarten()
    const [baum, bild] = [neueKennung(), neueKennung()]
    await geraet.neu(baum)
    await geraet.bild(baum, bild, foto(5, 100))
    server.bilder.set(bild, { baum, sha256: 'f'.repeat(64) })
    await geraet.gleicheAb(server)
    expect((await fetchSchlange(geraet.db, SUB)).bilder).toMatchObject([{ stand: 'abgelehnt', regel: 'habitat_kennung_vergeben' }])
  })

  test('nobody sends what another person captured on the same device', async () => {
    const server = new ModellServer()
    const geraet = await new Geraet().neuStarten()
    await geraet.neu(neueKennung())
    await expect(geraet.gleicheAb(server, -1, tokenFuer('person-2'))).rejects.toMatchObject({ code: 'anmeldung' })
    expect(server.anfragen).toBe(0)
    expect(await zaehleWartende(geraet.db, 'person-2')).toEqual({ baeume: 0, bilder: 0 })
    expect(await zaehleWartende(geraet.db, SUB)).toEqual({ baeume: 1, bilder: 0 })
  })

  test('what is on its way cannot be given up; what was never sent can', async () => {
    const server = new ModellServer()
    const geraet = await new Geraet().neuStarten()
    const kennung = neueKennung()
    await geraet.neu(kennung)
    await expect(geraet.gleicheAb(server, 1)).rejects.toBeInstanceOf(WegFehler)
    expect(await verwirfErfassung(geraet.db, SUB, kennung)).toBe(false)
    const other = neueKennung()
    await geraet.neu(other)
    expect(await verwirfErfassung(geraet.db, SUB, other)).toBe(true)
    await geraet.gleicheAb(server)
    expect([...server.baeume.keys()]).toEqual([kennung])
  })

  test('the same form saved by two windows makes two trees and loses none', async () => {
    const geraet = await new Geraet().neuStarten()
    const kennung = neueKennung()
    expect(await geraet.neu(kennung, { nummer: '1' })).toBe(kennung)
    expect(await geraet.neu(kennung, { nummer: '2' })).not.toBe(kennung)
    expect((await fetchSchlange(geraet.db, SUB)).erfassungen.map(({ werte }) => String(werte.nummer)).toSorted()).toEqual(['1', '2'])
  })

  test('what is set back to what the server has waits no longer', async () => {
    const server = new ModellServer()
    const geraet = await new Geraet().neuStarten()
    const kennung = neueKennung()
    await geraet.neu(kennung)
    await geraet.gleicheAb(server)
    await geraet.aendere(kennung, { bhd_cm: 61 })
    await geraet.aendere(kennung, { bhd_cm: 60 })
    expect(await zaehleWartende(geraet.db, SUB)).toEqual({ baeume: 0, bilder: 0 })
  })

  test('pauses grow and do not end', () => {
    const pauses = Array.from({ length: 9 }, (_, at) => pauseMs(at + 1, 0.5))
    expect(pauses).toEqual([2_000, 5_000, 15_000, 30_000, 60_000, 120_000, 300_000, 300_000, 300_000])
    expect(pauseMs(1, 0)).toBeLessThan(pauseMs(1, 1))
  })
})
