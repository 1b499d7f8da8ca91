// State of the list of customers as it stands in the address bar; kunden-address.ts makes the data API's address of it.
import * as z from 'zod/mini'
import { catch as orElse } from 'zod/mini'
import { BUNDESLAENDER } from '#domain/adresse-land.ts'
import { EPSG_CODES } from './kunde-values.ts'

export const SORT_KEYS = ['name', 'strasse', 'ort', 'plz', 'bundesland', 'epsg', 'geaendert', 'nr'] as const
export type SortKey = (typeof SORT_KEYS)[number]
export const PAGE_SIZES = [25, 50, 100] as const
/** Stands among the federal states for customers that have none. */
export const OHNE_LAND = 'ohne'
export const LAND_CHOICES: readonly string[] = [...BUNDESLAENDER, OHNE_LAND]

export interface KundenList {
  readonly suche: string
  readonly land: readonly string[]
  readonly epsg: readonly number[]
  readonly kataster: 'an' | 'aus' | null
  /** Leading digits of the postcode. */
  readonly plz: string
  /** Changed on or after this day, ISO. */
  readonly seit: string
  readonly sort: SortKey
  readonly absteigend: boolean
  readonly seite: number
  readonly zeilen: (typeof PAGE_SIZES)[number]
}

export const FIRST_VIEW: KundenList = {
  suche: '',
  land: [],
  epsg: [],
  kataster: null,
  plz: '',
  seit: '',
  sort: 'name',
  absteigend: false,
  seite: 1,
  zeilen: 25,
}

/** What the search box sends on: one blank between words, nothing that a database or an address line would choke on. */
export const cleanSearch = (text: string): string =>
  Array.from(
    text
      .normalize('NFC')
      .replace(/[\p{Cc}\p{Cs}\s]+/gu, ' ')
      .trim(),
  )
    .slice(0, 100)
    .join('')
    .trim()

export function isIsoDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text) || text < '1900-01-01') return false
  const day = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text)
}

// A router may have read digits as a number and "true" as a truth value.
const text = z.pipe(
  z.union([z.string(), z.number(), z.boolean()]),
  z.transform((value: string | number | boolean) => String(value)),
)
/** Members of a closed list, comma-separated, in the list's order and each once; unknown ones are dropped. */
const someOf = (list: readonly string[]) =>
  orElse(
    z.pipe(
      text,
      z.transform((value: string) => {
        const asked = value.split(',')
        return list.filter((entry) => asked.includes(entry))
      }),
    ),
    [],
  )
const matching = (pattern: RegExp, otherwise: string) => orElse(z.pipe(text, z.string().check(z.regex(pattern))), otherwise)

const Search = z.object({
  suche: orElse(z.pipe(text, z.transform(cleanSearch)), ''),
  land: someOf(LAND_CHOICES),
  epsg: someOf(EPSG_CODES.map(String)),
  kataster: matching(/^(an|aus)$/, ''),
  plz: matching(/^\d{1,5}$/, ''),
  seit: orElse(z.pipe(text, z.string().check(z.refine(isIsoDay))), ''),
  sort: matching(new RegExp(`^-?(${SORT_KEYS.join('|')})$`), 'name'),
  seite: matching(/^[1-9]\d{0,5}$/, '1'),
  zeilen: matching(/^(25|50|100)$/, '25'),
})

/** Parts of the address that belong to the list. */
export const URL_KEYS = ['suche', 'land', 'epsg', 'kataster', 'plz', 'seit', 'sort', 'zeilen', 'seite'] as const

/** Reads the query of an address; whatever is missing, broken or unknown becomes the plain list. */
export function parseKundenList(search: unknown): KundenList {
  const read = Search.safeParse(search)
  const found = read.success ? read.data : Search.parse({})
  return {
    suche: found.suche,
    land: found.land,
    epsg: found.epsg.map(Number),
    kataster: found.kataster === 'an' || found.kataster === 'aus' ? found.kataster : null,
    plz: found.plz,
    seit: found.seit,
    sort: found.sort.replace('-', '') as SortKey,
    absteigend: found.sort.startsWith('-'),
    seite: Number(found.seite),
    zeilen: Number(found.zeilen) as KundenList['zeilen'],
  }
}

/** The query of an address: only what differs from the plain list, so that the plain list has a plain address. */
export function printKundenList(list: KundenList): Record<string, string> {
  const entries: readonly (readonly [key: string, value: string, plain: string])[] = [
    ['suche', list.suche, ''],
    ['land', list.land.join(','), ''],
    ['epsg', list.epsg.join(','), ''],
    ['kataster', list.kataster ?? '', ''],
    ['plz', list.plz, ''],
    ['seit', list.seit, ''],
    ['sort', `${list.absteigend ? '-' : ''}${list.sort}`, 'name'],
    ['zeilen', String(list.zeilen), '25'],
    ['seite', String(list.seite), '1'],
  ]
  return Object.fromEntries(entries.filter(([, value, plain]) => value !== plain).map(([key, value]) => [key, value]))
}

/** Anything but turning the page leads back to the first one. */
export const changeList = (list: KundenList, change: Partial<KundenList>): KundenList => ({ ...list, seite: 1, ...change })

/** First click sorts upwards (dates: newest first), the second turns it round. */
export function sortBy(list: KundenList, sort: SortKey): KundenList {
  const absteigend = list.sort === sort ? !list.absteigend : sort === 'geaendert'
  return changeList(list, { sort, absteigend })
}

/** How many filters besides the search narrow the list; shown on the button that opens them. */
export const countFilters = (list: KundenList): number =>
  [list.land.length > 0, list.epsg.length > 0, list.kataster !== null, list.plz !== '', list.seit !== ''].filter(Boolean).length

export const withoutFilters = (list: KundenList): KundenList =>
  changeList(list, { suche: '', land: [], epsg: [], kataster: null, plz: '', seit: '' })
