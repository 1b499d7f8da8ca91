// Packs on a device: a save is all or nothing, another part leaves no trees of the previous one behind, and
// nobody reaches another person's data.
import { IDBFactory } from 'fake-indexeddb'
import 'fake-indexeddb/auto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { ShortBestand, Outline } from '#contract/bestand.ts'
import type { BaseMap } from '#contract/base-map.ts'
import type { Habitatbaum } from '#contract/habitat.ts'
import { distanceBetween, grad, standsIn, mercator, bearingOf } from '../../karte/mercator.ts'
import { octant, BestandSearch, nearestOf, type TreePoint } from './tree-point.ts'
import { type FieldworkDb, openFieldworkDb } from './fieldwork-db.ts'
import type { FieldworkPerson } from './fieldwork-db.ts'
import { rememberPerson, fetchOpenWork, sessionOf, forgetOthers, forgetPerson } from './fieldwork-session.ts'
import { fetchKarte } from './packet-fetch.ts'
import {
  remove,
  type FetchedBetrieb,
  shortTexts,
  putAway,
  putTiles,
  detailsOf,
  noLongerAllowed,
  packetsOf,
  tidyUp,
} from './packet.ts'
import { bestaendeIn, belongs, tilesOver, outlineBoxesOf, MAX_TILES } from './packet-extent.ts'

const NOW = new Date('2026-11-22T08:00:00Z')
const LATER = new Date('2026-11-23T09:30:00Z')
const ANNA = 'sub-anna'
const BERT = 'sub-bert'

const quadrat = (id: number, lon: number, lat: number, edge = 200): Outline => {
  const [x, y] = mercator(lon, lat)
  return [
    id,
    [
      [
        [
          [x, y],
          [x + edge, y],
          [x + edge, y + edge],
          [x, y + edge],
          [x, y],
        ],
      ],
    ],
  ]
}
const bestand = (id: number, revier: string, compartment: string, s: number): ShortBestand =>
  ({
    id,
    l: ['Forst', revier, compartment, 'a', null],
    s,
    ha: 4,
    tag: null,
    nutzungsart: null,
    bestandestyp: 'Bu',
    alter: 90,
    ak: 5,
    vorrat: 1,
    bemerkung: null,
    arten: [],
  }) as ShortBestand
const tree = (id: number, lon: number, lat: number, revier: string): Habitatbaum =>
  ({
    id,
    kennung: `00000000-0000-4000-8000-${String(id).padStart(12, '0')}`,
    idHQ: 7,
    client_id: 3,
    nummer: String(id),
    art: 'bu',
    lon,
    lat,
    sLVL01: 'Forst',
    sLVL02: revier,
    sLVL03: '1',
    sLVL04: 'a',
    sLVL05: null,
    iSTAND: 1,
    version: 1,
  }) as unknown as Habitatbaum

const HOLDING: FetchedBetrieb = {
  idHQ: 7,
  client_id: 3,
  sHQ: 'Forstbetrieb Probe',
  ebenen: ['Forstamt', 'Revier', 'Abteilung', 'Unterabteilung', ''],
  bestaende: [bestand(1, 'Nord', '1', 1), bestand(2, 'Süd', '2', 4)],
  umrisse: [quadrat(1, 10, 51), quadrat(2, 10.1, 50.9)],
  baeume: [
    tree(11, 10.001, 51.0005, 'Nord'),
    tree(12, 10.101, 50.9005, 'Süd'),
    tree(13, 10.0015, 51.0006, 'Nord'),
  ],
  bilder: new Map([[11, 2]]),
}
/** With a stand six kilometres wide, which needs several hundred tiles. */
const LARGE: FetchedBetrieb = { ...HOLDING, umrisse: [quadrat(1, 10, 51, 6_000), HOLDING.umrisse[1]!] }
const MAP: BaseMap = {
  id: 'haus',
  titel: 'Haus',
  art: 'karte',
  namensnennung: '© Haus',
  min: 0,
  max: 18,
  laender: [],
  mitnehmen: true,
}

let db: FieldworkDb
beforeEach(async () => {
  globalThis.indexedDB = new IDBFactory()
  db = await openFieldworkDb()
})
afterEach(() => db.close())
const ids = async (sub: string) =>
  (await db.getAll('baeume')).filter((one) => one.sub === sub).map(({ baum: { id } }) => id)
const capture = (sub: string, of: Habitatbaum) =>
  db.put('erfassungen', {
    sub,
    kennung: of.kennung,
    idHQ: 7,
    version: 1,
    basis: of,
    werte: { bemerkung: 'x' },
    kontrollen: [],
    stand: 'wartet',
    unterwegs: null,
    versuche: 0,
    antwort: null,
    seit: '',
    geaendert_am: '',
  })

describe('a saving', () => {
  test('puts stands, addresses and trees on the device', async () => {
    await putAway(db, ANNA, HOLDING, { art: 'ganz' }, NOW)
    const [packet] = await packetsOf(db, ANNA)
    expect(packet).toMatchObject({
      idHQ: 7,
      client_id: 3,
      baeume: 3,
      kacheln: 0,
      geholt_am: NOW.toISOString(),
    })
    expect(packet!.bytes).toBeGreaterThan(500)
    expect(detailsOf(packet!)).toMatchObject({
      teil: { art: 'ganz' },
      bestaende: [
        { id: 1, s: 1 },
        { id: 2, s: 4 },
      ],
      karte: null,
    })
    expect(await db.get('baeume', [ANNA, HOLDING.baeume[0]!.kennung])).toMatchObject({ bilder: 2, idHQ: 7 })
  })
  test('that breaks in the middle leaves the old one whole', async () => {
    await putAway(db, ANNA, HOLDING, { art: 'ganz' }, NOW)
    // Unstorable data: the third tree fails after two were written and one was deleted.
    const broken = {
      ...HOLDING,
      sHQ: 'Neu',
      baeume: [
        tree(21, 10.001, 51.0005, 'Nord'),
        HOLDING.baeume[1]!,
        { ...tree(22, 10, 51, 'Nord'), bemerkung: () => 1 },
      ],
    }
    await expect(
      putAway(db, ANNA, broken as unknown as FetchedBetrieb, { art: 'ganz' }, LATER),
    ).rejects.toThrow()
    expect(await ids(ANNA)).toEqual([11, 12, 13])
    expect((await packetsOf(db, ANNA))[0]).toMatchObject({
      sHQ: 'Forstbetrieb Probe',
      geholt_am: NOW.toISOString(),
      baeume: 3,
    })
  })
  test('anew takes away what is gone from the server, but no tree of which something waits', async () => {
    await putAway(db, ANNA, HOLDING, { art: 'ganz' }, NOW)
    await capture(ANNA, HOLDING.baeume[1]!)
    await putAway(db, ANNA, { ...HOLDING, baeume: [HOLDING.baeume[0]!] }, { art: 'ganz' }, LATER)
    expect(await ids(ANNA)).toEqual([11, 12])
    expect((await packetsOf(db, ANNA))[0]!.baeume).toBe(1)
  })
  test('of a part holds its stands and trees alone', async () => {
    await putAway(db, ANNA, HOLDING, { art: 'adresse', auswahl: [null, 'Süd', null, null, null] }, NOW)
    expect(detailsOf((await packetsOf(db, ANNA))[0]!).bestaende.map(({ id }) => id)).toEqual([2])
    expect(await ids(ANNA)).toEqual([12])
    const [x, y] = mercator(10.001, 51.0005)
    await putAway(db, ANNA, HOLDING, { art: 'kasten', kasten: [x - 100, y - 100, x + 20, y + 100] }, LATER)
    expect(detailsOf((await packetsOf(db, ANNA))[0]!).bestaende.map(({ id }) => id)).toEqual([1])
    expect(await ids(ANNA)).toEqual([11])
  })
})

describe('the ground', () => {
  const fetched = (bytes: number) => async () => new Blob([new Uint8Array(bytes)], { type: 'image/png' })
  const count = async (sub = ANNA) =>
    (await db.getAllKeys('kacheln')).filter(([owner]) => owner === sub).length
  const order = async (more: Partial<Parameters<typeof fetchKarte>[0]> = {}) => ({
    db,
    sub: ANNA,
    packet: (await packetsOf(db, ANNA))[0]!,
    karte: MAP,
    signal: new AbortController().signal,
    onProgress: () => {},
    now: NOW,
    kachel: fetched(10),
    ...more,
  })
  beforeEach(() => putAway(db, ANNA, LARGE, { art: 'ganz' }, NOW))

  test('every tile that came is kept, however they came in between each other', async () => {
    // A tile's bytes are read while the previous batch is being written.
    const slow = async () => {
      const blob = new Blob([new Uint8Array(10)], { type: 'image/png' })
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 4))
      return blob
    }
    const packet = await fetchKarte(await order({ kachel: slow }))
    const wanted = tilesOver(outlineBoxesOf(LARGE.umrisse), MAP).length
    expect(wanted).toBeGreaterThan(200)
    expect(await count()).toBe(wanted)
    expect(packet).toMatchObject({ kacheln: wanted })
    expect(detailsOf(packet!).karte).toMatchObject({ id: 'haus', max: 17, fehlend: 0, bytes: wanted * 10 })
  })
  test('saved anew takes the place of the one before only when it is there whole', async () => {
    await fetchKarte(await order())
    const before = await count()
    const size = (await packetsOf(db, ANNA))[0]!.bytes
    const stop = new AbortController()
    let asked = 0
    const cut = async () => {
      if (++asked === 150) stop.abort()
      return new Blob([new Uint8Array(99)], { type: 'image/png' })
    }
    await expect(fetchKarte(await order({ now: LATER, signal: stop.signal, kachel: cut }))).rejects.toThrow()
    const [packet] = await packetsOf(db, ANNA)
    expect(detailsOf(packet!).karte!.geholt_am).toBe(NOW.toISOString())
    expect(packet!.bytes).toBe(size)
    expect(await count(), 'some of the broken one lie about').toBeGreaterThan(before)
    await tidyUp(db, ANNA)
    expect(await count()).toBe(before)
    await fetchKarte(await order({ now: LATER, kachel: fetched(20) }))
    expect(await count()).toBe(before)
    expect((await packetsOf(db, ANNA))[0]!.bytes).toBe(size + before * 10)
  })
  test('of a service that is away is given up soon, and the pack goes on with what it had', async () => {
    let asked = 0
    const away = async (): Promise<Blob> => {
      asked++
      throw new Error('away')
    }
    await expect(fetchKarte(await order({ kachel: away }))).rejects.toThrow('away')
    expect(asked).toBeLessThan(40)
    expect(detailsOf((await packetsOf(db, ANNA))[0]!).karte).toBeNull()
  })
  test('single tiles that did not come are counted, empty ones are no fault', async () => {
    let asked = 0
    const some = async () => {
      asked++
      if (asked % 10 === 0) throw new Error('once')
      return new Blob(asked % 10 === 1 ? [] : [new Uint8Array(5)], { type: 'image/png' })
    }
    const packet = await fetchKarte(await order({ kachel: some }))
    const { karte } = detailsOf(packet!)
    expect(karte!.fehlend).toBe(Math.floor(asked / 10))
    expect(await count()).toBe(karte!.kacheln)
  })
  test('removed with its pack, and nothing of another person', async () => {
    await fetchKarte(await order())
    await putAway(db, BERT, HOLDING, { art: 'ganz' }, NOW)
    await putTiles(db, BERT, 7, 'haus@x', [
      { ort: { z: 12, x: 1, y: 2 }, typ: 'image/png', bytes: new ArrayBuffer(3) },
    ])
    await capture(ANNA, HOLDING.baeume[2]!)
    await remove(db, ANNA, 7)
    expect(await packetsOf(db, ANNA)).toEqual([])
    expect(await count()).toBe(0)
    expect(await ids(ANNA), 'the tree of what waits').toEqual([13])
    expect(await ids(BERT)).toEqual([11, 12, 13])
    expect(await count(BERT)).toBe(1)
  })
})

describe('how much it is', () => {
  test('tiles lie over each stand and not over what is between, coarse ones first', () => {
    const boxes = outlineBoxesOf(HOLDING.umrisse)
    const tiles = tilesOver(boxes, MAP)
    expect(tiles.map(({ z }) => z)).toEqual(tiles.map(({ z }) => z).toSorted((a, b) => a - b))
    expect([tiles[0]!.z, tiles.at(-1)!.z]).toEqual([12, 17])
    expect(tiles).toContainEqual({ z: 12, x: 2161, y: 1371 })
    expect(new Set(tiles.map(({ z, x, y }) => `${z}/${x}/${y}`)).size).toBe(tiles.length)
    // 10° to 10.1° is 37 tiles wide at level 17: the two stands need far fewer.
    expect(tiles.filter(({ z }) => z === 17).length).toBeLessThan(40)
    expect(tilesOver(boxes, { min: 14, max: 15 }).map(({ z }) => z)).toEqual(expect.arrayContaining([14, 15]))
    expect(tilesOver(boxes, { min: 14, max: 15 }).every(({ z }) => z === 14 || z === 15)).toBe(true)
  })
  test('never more than the limit: a level that would be too many is left out with all below it', () => {
    const whole = tilesOver([[1_000_000, 6_500_000, 1_100_000, 6_600_000]], MAP)
    expect(whole.length).toBeLessThanOrEqual(MAX_TILES)
    expect(new Set(whole.map(({ z }) => z))).toEqual(new Set([12, 13, 14]))
    expect(tilesOver([[0, 0, 9_000_000, 9_000_000]], MAP)).toEqual([])
  })
  test('what belongs to a part', () => {
    expect(
      bestaendeIn(
        { art: 'adresse', auswahl: ['Forst', 'Nord', null, null, null] },
        HOLDING.bestaende,
        HOLDING.umrisse,
      ).map(({ id }) => id),
    ).toEqual([1])
    expect(
      HOLDING.baeume.map((one) =>
        belongs({ art: 'adresse', auswahl: [null, 'Nord', null, null, null] }, one),
      ),
    ).toEqual([true, false, true])
  })
  test('on the map stands are named by what tells them apart', () =>
    expect([...shortTexts(HOLDING.bestaende)]).toEqual([
      [1, 'Nord 1 a 1'],
      [2, 'Süd 2 a 4'],
    ]))
})

describe('who', () => {
  const person = (sub: string): FieldworkPerson => ({
    sub,
    user_id: 1,
    name: sub,
    email: `${sub}@x.example`,
    roles: ['ogf_standard'],
    hqs: [],
    bestaetigt_am: NOW.toISOString(),
  })
  beforeEach(async () => {
    for (const sub of [ANNA, BERT]) {
      await rememberPerson(db, person(sub))
      await putAway(db, sub, HOLDING, { art: 'ganz' }, NOW)
      await putTiles(db, sub, 7, 'haus@x', [
        { ort: { z: 12, x: 1, y: 2 }, typ: 'image/png', bytes: new ArrayBuffer(3) },
      ])
      await capture(sub, HOLDING.baeume[0]!)
    }
  })
  const all = async (sub: string) => {
    const stores = [
      'person',
      'pakete',
      'kacheln',
      'baeume',
      'erfassungen',
      'bilder',
      'konflikte',
      'entwuerfe',
    ] as const
    const counts = await Promise.all(
      stores.map(
        async (store) => [store, (await db.getAll(store)).filter((row) => row.sub === sub).length] as const,
      ),
    )
    return Object.fromEntries(counts.filter(([, n]) => n > 0))
  }
  test('a sign-out that discards leaves nothing of this person and all of the other', async () => {
    await forgetPerson(db, ANNA, { keepUnsent: false })
    expect(await all(ANNA)).toEqual({})
    expect(await all(BERT)).toEqual({ person: 1, pakete: 1, kacheln: 1, baeume: 3, erfassungen: 1 })
  })
  test('a sign-out that keeps leaves what exists here alone', async () => {
    await forgetPerson(db, ANNA, { keepUnsent: true })
    expect(await all(ANNA)).toEqual({ erfassungen: 1 })
    expect(await fetchOpenWork(db, ANNA)).toEqual({ erfassungen: 1, bilder: 0, entwuerfe: 0 })
  })
  test('somebody else signs in: of the others only what they have not transferred stays', async () => {
    await forgetOthers(db, BERT)
    expect(await all(ANNA)).toEqual({ erfassungen: 1 })
    expect(await all(BERT)).toEqual({ person: 1, pakete: 1, kacheln: 1, baeume: 3, erfassungen: 1 })
  })
  test('a person whose number begins like another one’s is another person', async () => {
    await rememberPerson(db, person(`${ANNA}a`))
    await putAway(db, `${ANNA}a`, HOLDING, { art: 'ganz' }, NOW)
    await forgetPerson(db, ANNA, { keepUnsent: false })
    expect((await packetsOf(db, `${ANNA}a`)).length).toBe(1)
    expect(await packetsOf(db, ANNA)).toEqual([])
  })
  test('a holding taken away or closed leaves the device at the next sign-in; ogf_admin keeps all', async () => {
    const packs = await packetsOf(db, ANNA)
    const hq = (idHQ: number, fb_enabled: boolean) => ({
      idHQ,
      sHQ: '',
      hq_status: [],
      fb_enabled,
      dtFE: null,
      dcFLAEHB: null,
    })
    const lost = (hqs: FieldworkPerson['hqs'], roles: FieldworkPerson['roles'] = ['ogf_standard']) =>
      noLongerAllowed(packs, { roles, hqs }).map(({ idHQ }) => idHQ)
    expect(lost([hq(7, true)])).toEqual([])
    expect(lost([hq(7, false), hq(8, true)])).toEqual([7])
    expect(lost([])).toEqual([7])
    expect(lost([], ['ogf_admin'])).toEqual([])
  })
  test('without sign-in the screens know who it is and that it is nobody’s session', () =>
    expect(sessionOf(person(ANNA))).toMatchObject({
      name: ANNA,
      roles: ['ogf_standard'],
      user: null,
      localOnly: true,
    }))
})

describe('where one is', () => {
  test('distances and directions on the ground', () => {
    // A minute of latitude is about a nautical mile.
    expect(distanceBetween({ lon: 10, lat: 51 }, { lon: 10, lat: 51 + 1 / 60 })).toBeCloseTo(1853, -1)
    expect(bearingOf({ lon: 10, lat: 51 }, { lon: 10, lat: 52 })).toBeCloseTo(0, 6)
    expect(bearingOf({ lon: 10, lat: 51 }, { lon: 10.001, lat: 51 })).toBeCloseTo(90, 2)
    expect([0, 44, 46, 359, 225].map((degrees) => octant(degrees))).toEqual([0, 1, 1, 0, 5])
    const [lon, lat] = grad(...mercator(10.25, 50.75))
    expect([lon, lat]).toEqual([expect.closeTo(10.25, 9), expect.closeTo(50.75, 9)])
  })
  test('in which stand, holes and all', () => {
    const [x, y] = mercator(10, 51)
    const hole = [
      [x + 50, y + 50],
      [x + 100, y + 50],
      [x + 100, y + 100],
      [x + 50, y + 100],
      [x + 50, y + 50],
    ]
    const withHole: Outline = [5, [[...quadrat(5, 10, 51)[1][0]!, hole as [number, number][]]]]
    expect(standsIn(withHole[1], x + 10, y + 10)).toBe(true)
    expect(standsIn(withHole[1], x + 75, y + 75)).toBe(false)
    const suche = new BestandSearch([withHole, quadrat(2, 10.1, 50.9)])
    const at = (dx: number, dy: number) => {
      const [lon, lat] = grad(x + dx, y + dy)
      return suche.an({ lon, lat })
    }
    expect([at(10, 10), at(75, 75), at(-10, 10)]).toEqual([5, null, null])
    expect(suche.an({ lon: 10.1005, lat: 50.9005 })).toBe(2)
  })
  test('the nearest first, with the way there', () => {
    const point = (identifier: string, lon: number, lat: number) =>
      ({ kennung: identifier, lon, lat }) as TreePoint
    const near = nearestOf(
      [point('weit', 10.01, 51), point('nah', 10, 51.0001), point('mitte', 9.999, 51)],
      { lon: 10, lat: 51 },
      2,
    )
    expect(
      near.map(({ point: { kennung }, meter, grad: degrees }) => [
        kennung,
        Math.round(meter),
        octant(degrees),
      ]),
    ).toEqual([
      ['nah', 11, 0],
      ['mitte', 70, 6],
    ])
  })
})
