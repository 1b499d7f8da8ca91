// The tables of OData: which relation each shows, and what tells its rows apart. Which rows and columns there are
// is decided by the database for each caller.
import type { KeyGroup } from '#domain/zugang.ts'

export interface EntitySet {
  /** As in addresses. */
  readonly name: string
  readonly title: string
  /** A relation of `app`. */
  readonly relation: string
  /** Unique and never null. */
  readonly key: string
  /** Column with the lower-case text that lists search. */
  readonly search: string | null
  /** The group of tables that a key needs; the same as rights.group_of says of the relation. */
  readonly group: KeyGroup
}

type More = Partial<Pick<EntitySet, 'relation' | 'key' | 'search'>>

const set = (group: KeyGroup, name: string, title: string, more: More = {}): EntitySet => ({
  name,
  title,
  group,
  relation: name,
  key: 'id',
  search: null,
  ...more,
})
/** A list with a search box. */
const list = (group: KeyGroup, name: string, title: string, relation: string, key = 'id'): EntitySet =>
  set(group, name, title, { relation, key, search: 'suchtext' })

export const ENTITY_SETS: readonly EntitySet[] = [
  list('kunden', 'kunde', 'Kunden', 'kunde', 'client_id'),
  list('betriebe', 'betrieb', 'Forstbetriebe', 'hq_liste', 'idHQ'),
  list('personen', 'person', 'Personen mit Zugang', 'nutzer_liste', 'user_id'),
  list('belege', 'angebot', 'Angebote', 'angebot_liste'),
  list('belege', 'rechnung', 'Rechnungen', 'rechnung_liste'),
  set('belege', 'position', 'Positionen von Angeboten und Rechnungen'),
  set('belege', 'zahlung', 'Zahlungen auf Rechnungen'),
  set('belege', 'mahnung', 'Mahnungen'),
  list('belege', 'eingang', 'Eingangsrechnungen', 'eingang_liste'),
  list('belege', 'kontoumsatz', 'Kontoumsätze', 'kontoumsatz_liste'),
  set('belege', 'prognose', 'Erwartete Zahlungen'),
  list('betriebe', 'abo', 'Abos', 'abo_liste'),
  list('karten', 'plan', 'Pläne', 'karte_liste'),
  set('vermessung', 'draenage', 'Dränagen'),
  set('vermessung', 'ausmuendung', 'Ausmündungen'),
  set('vermessung', 'schacht', 'Schächte'),
  set('vermessung', 'schlucker', 'Schlucker'),
  set('vermessung', 'einlauf', 'Einläufe'),
  set('bestaende', 'bestand', 'Bestände der Forsteinrichtung'),
  set('bestaende', 'baumart', 'Baumarten der Bestände', { relation: 'baumarten' }),
  list('habitat', 'habitatbaum', 'Habitatbäume', 'habitatbaeume_liste'),
  set('habitat', 'habitatkontrolle', 'Kontrollen der Habitatbäume', { relation: 'habitatkontrollen' }),
]

export const findSet = (name: string): EntitySet | undefined =>
  ENTITY_SETS.find((entitySet) => entitySet.name === name)

/** Keys for sorting and searching, and what only our screens need. */
export const INTERNAL_COLUMNS: ReadonlySet<string> = new Set([
  'sortname',
  'sortort',
  'sortkunde',
  'sortadresse',
  'kunde_sortname',
  'suchtext',
  'struktur_suche',
  'beleg',
])

/** For keys: what a route of this table reads. */
export const relationOf = (name: string): string => findSet(name)?.relation ?? 'kunde'
