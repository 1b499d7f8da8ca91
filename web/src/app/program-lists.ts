// The lists of the screens for the server, which writes saved views under their own address: the same
// filters, order, columns and words as on screen. scripts/build.ts builds this for Node; nothing in the
// browser imports it.
import { PROGRAM_LISTS, type ProgramListsModule, type ViewReader } from '#contract/program-lists.ts'
import { texts } from '../../texts/en.po'
import { address } from '../data/addresses.ts'
import { angeboteOf } from '../features/buchhaltung/angebot/angebote-list.tsx'
import { EINGANG } from '../features/buchhaltung/eingang/eingang-list.tsx'
import { rechnungenOf } from '../features/buchhaltung/rechnung/rechnungen-list.tsx'
import { UMSAETZE } from '../features/buchhaltung/zahlung/umsaetze-list.tsx'
import { ABOS } from '../features/finances/abo-list.tsx'
import { HQS } from '../features/forstbetrieb/hq-list.tsx'
import { KARTEN, OWN_KARTEN, OWN_KARTEN_WITH_ANSWER } from '../features/karte/karte-list.ts'
import { KUNDEN } from '../features/kunde/kunden-list.ts'
import { KUNDEN as MEMBER_KUNDEN } from '../features/members/kunden-list.tsx'
import { NUTZER } from '../features/members/nutzer-list.tsx'
import { exportTable } from '../list/export-rows.ts'
import { beginDaysAt } from '../list/filter-kinds.ts'
import type { List, ListColumn } from '../list/list.ts'
import { markOf, stretchRead, type TableList } from '../list/table-source.ts'
import { stateOf } from '../list/view-query.ts'
import { shownColumns } from '../ui/DataTable.tsx'
import { setTexts } from '../ui/text.ts'

const BERLIN = new Intl.DateTimeFormat('sv-SE', {
  timeZone: 'Europe/Berlin',
  dateStyle: 'short',
  timeStyle: 'short',
})
/** As people in Germany see it, wherever the server runs. */
beginDaysAt((day) => {
  const summer = new Date(`${day}T00:00:00+02:00`)
  return BERLIN.format(summer) === `${day} 00:00` ? summer : new Date(`${day}T00:00:00+01:00`)
})

// What a row is, only its list knows.
type AnyList = TableList<Record<string, unknown>>
const any = <Row>(list: List<Row>): AnyList => list as unknown as AnyList

/** Lists with an archive show it if their address asks for it. */
const withArchive =
  <Row>(listOf: (archive: boolean) => List<Row>) =>
  (suche: string): AnyList =>
    any(listOf((new URLSearchParams(suche).get('archiv') ?? '') !== ''))
const always =
  <Row>(list: List<Row>) =>
  (): AnyList =>
    any(list)

const LISTS: Readonly<Record<string, (suche: string, mayAnswer: boolean) => AnyList>> = {
  kunden: always(KUNDEN),
  'mitglieder-kunden': always(MEMBER_KUNDEN),
  'mitglieder-nutzer': always(NUTZER),
  forstbetriebe: always(HQS),
  karten: always(KARTEN),
  'karten-eigene': (_, mayAnswer) => any(mayAnswer ? OWN_KARTEN_WITH_ANSWER : OWN_KARTEN),
  rechnungen: withArchive(rechnungenOf),
  angebote: withArchive(angeboteOf),
  eingang: always(EINGANG),
  umsaetze: always(UMSAETZE),
  abos: always(ABOS),
}

export const readerOf: ProgramListsModule['readerOf'] = (
  name,
  { suche, spalten, mayAnswer },
): ViewReader | null => {
  const list = Object.hasOwn(LISTS, name) ? LISTS[name]?.(suche, mayAnswer) : undefined
  if (list === undefined || list.source.table !== PROGRAM_LISTS[name]?.relation || list.source.complete)
    return null
  const { title } = list.words()
  const state = stateOf(list, suche)
  const columns = shownColumns(list.columns(), spalten ?? undefined) as ListColumn<Record<string, unknown>>[]
  return {
    title,
    head: exportTable(title, columns, []).head,
    query: (mark, limit) => address('', stretchRead(list, state, mark, limit)).replace(/^\?/, ''),
    markOf: (row) => markOf(list, state, row),
    cells: (row) => exportTable(title, columns, [row as Record<string, unknown>]).rows[0] ?? [],
  }
}

export const speakEnglish: ProgramListsModule['speakEnglish'] = () => setTexts(texts)
