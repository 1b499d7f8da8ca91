// Names, streets and phone numbers for the sample.
import type { Random } from './random.ts'
import { WOMEN, HOUSES, SAINTS, MEN, SURNAMES, STREETS, LONG_STREETS } from './words.ts'

export interface Person {
  readonly gender: 'Herr' | 'Frau'
  readonly first_name: string
  readonly last_name: string
}
export function makePerson(random: Random): Person {
  const gender = random.chance(0.4) ? 'Frau' : 'Herr'
  const last = random.pick(SURNAMES)
  return {
    gender,
    first_name: random.pick(gender === 'Frau' ? WOMEN : MEN),
    last_name: random.chance(0.05) ? `${last}-${random.pick(SURNAMES)}` : last,
  }
}

type Name = (ort: string, random: Random) => { name: string; name_zusatz: string | null }
const NAMES: readonly (readonly [weight: number, make: Name])[] = [
  [
    26,
    (ort, random) => ({
      name: `Gemeinde ${ort}`,
      name_zusatz: random.chance(0.4)
        ? random.pick(['Liegenschaftsamt', 'Forstverwaltung', 'Kämmerei', 'Bauhof'])
        : null,
    }),
  ],
  [
    12,
    (ort, random) => ({
      name: `Stadt ${ort}`,
      name_zusatz: random.chance(0.6)
        ? random.pick(['Stadtforstamt', 'Eigenbetrieb Stadtwald', 'Amt für Umwelt und Forst'])
        : null,
    }),
  ],
  [
    16,
    (ort, random) => ({
      name: `Forstbetriebsgemeinschaft ${ort}${random.pick([' w.V.', '', ' e.V.'])}`,
      name_zusatz: null,
    }),
  ],
  [
    8,
    (ort, random) => ({
      name: `${random.pick(['Waldgenossenschaft', 'Realverband', 'Forstgenossenschaft', 'Waldinteressenten'])} ${ort}`,
      name_zusatz: null,
    }),
  ],
  [7, (ort) => ({ name: `Ev. Kirchengemeinde ${ort}`, name_zusatz: 'Pfarrwald' })],
  [
    6,
    (ort, random) => ({
      name: `Kath. Pfarrpfründestiftung St. ${random.pick(SAINTS)} ${ort}`,
      name_zusatz: null,
    }),
  ],
  [
    14,
    (_, random) => ({
      name: `Forstbetrieb ${random.pick(SURNAMES)}`,
      name_zusatz: random.chance(0.2) ? 'Forstwirtschaft und Jagd' : null,
    }),
  ],
  [
    6,
    (_, random) => {
      const { first_name, last_name } = makePerson(random)
      return { name: `${first_name} ${last_name}`, name_zusatz: 'Privatwald' }
    },
  ],
  [
    5,
    (ort, random) => ({
      name: `Gräflich ${random.pick(HOUSES)}sche Forstverwaltung`,
      name_zusatz: `Rentamt ${ort}`,
    }),
  ],
]
const TOTAL = NAMES.reduce((sum, [weight]) => sum + weight, 0)

/** Typical owners of forests in the area. */
export function makeKundenName(
  ort: string,
  town: boolean,
  random: Random,
): { name: string; name_zusatz: string | null } {
  let at = random.next() * TOTAL
  for (const [weight, make] of NAMES) {
    at -= weight
    if (at < 0) return settle(make(ort, random), town)
  }
  return settle({ name: `Gemeinde ${ort}`, name_zusatz: null }, town)
}

/** A town is not called Gemeinde, nor a village Stadt. */
const settle = ({ name, name_zusatz }: { name: string; name_zusatz: string | null }, town: boolean) => ({
  name: name.replace(/^(?:Gemeinde|Stadt) /, town ? 'Stadt ' : 'Gemeinde '),
  name_zusatz: town
    ? name_zusatz
    : (name_zusatz?.replace(/^Stadtforstamt$|^Eigenbetrieb Stadtwald$/, 'Forstverwaltung') ?? null),
})

export function makeStreet(random: Random): string {
  const street = random.chance(0.3) ? random.pick(LONG_STREETS) : random.pick(STREETS)
  return `${street} ${random.int(1, 99)}${random.chance(0.1) ? random.pick(['a', 'b']) : ''}`
}

/** From the range reserved for films and plays (030 23125 …), so nobody's phone rings. */
export const makePhone = (random: Random): string =>
  `030 23125 ${String(random.int(0, 999)).padStart(3, '0')}`

/** A time of an office day, to the minute. */
export const makeTime = (random: Random): string =>
  `${String(random.int(7, 17)).padStart(2, '0')}:${String(random.int(10, 59))}:00`

/** 'Jörg Groß-Müller' → 'joerg.gross-mueller', for addresses. */
export const slug = (text: string): string =>
  text
    .toLowerCase()
    .replace(/ä/g, 'ae')
    .replace(/ö/g, 'oe')
    .replace(/ü/g, 'ue')
    .replace(/ß/g, 'ss')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
