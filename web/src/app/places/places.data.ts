// Names of the records among a person's places. The data API answers only with what the person may read.
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import type { EingangListRow } from '#contract/eingang.ts'
import type { Habitatbaum } from '#contract/habitat.ts'
import { oneOf } from '../../data/addresses.ts'
import { selectRows } from '../../data/rows.ts'
import { rpc } from '../../data/rpc.ts'
import { type Named, nameOf } from '../../record/person/person-words.ts'
import { t } from '../../ui/text.ts'
import { shownLanguage } from '../language.ts'
import { type Place, RECORD_KINDS, type RecordKind } from './places.ts'

/** By the key of the place. */
export type Names = Readonly<Record<string, string>>

interface Source<T> {
  readonly table: string
  /** The id, then what the name is made of. */
  readonly select: readonly [id: string, ...parts: string[]]
  readonly name: (row: T) => string | Promise<string>
}
const source = <T>(table: string, select: Source<T>['select'], name: Source<T>['name']) =>
  ({ table, select, name }) as Source<never>

type Tree = Pick<Habitatbaum, 'nummer' | 'art' | 'art_text'>
/** The names of the species are loaded with the first tree. */
const nameOfTree = async (tree: Tree) =>
  (await import('../../record/habitat/habitat-words.ts')).treeName(tree)

interface Beleg {
  readonly nummer: string | null
  readonly kunde: string
}
const belegName = ({ nummer, kunde }: Beleg) => nummer ?? `${kunde}: ${t('Entwurf')}`
const BELEG = ['id', 'nummer', 'kunde'] as const

type Eingang = Pick<EingangListRow, 'nummer' | 'kreditor' | 'dateiname'>
const eingangName = ({ nummer, kreditor, dateiname }: Eingang) =>
  [kreditor, nummer || dateiname].filter(Boolean).join(' ')

const SOURCES: Readonly<Record<Exclude<RecordKind, 'dokument'>, Source<never>>> = {
  kunde: source<{ name: string }>('kunde', ['client_id', 'name'], ({ name }) => name),
  hq: source<{ sHQ: string }>('hq', ['idHQ', 'sHQ'], ({ sHQ }) => sHQ),
  benutzer: source<Named>('benutzer', ['user_id', 'first_name', 'last_name', 'username'], nameOf),
  karte: source<{ map_name: string }>('karte', ['id', 'map_name'], ({ map_name }) => map_name),
  baum: source<Tree>('habitatbaeume', ['id', 'nummer', 'art', 'art_text'], nameOfTree),
  rechnung: source<Beleg>('rechnung_liste', BELEG, belegName),
  angebot: source<Beleg>('angebot_liste', BELEG, belegName),
  eingang: source<Eingang>('eingang_liste', ['id', 'nummer', 'kreditor', 'dateiname'], eingangName),
  serie: source<{ titel: string }>('serie', ['id', 'titel'], ({ titel }) => titel),
}

async function namesOfKind(
  kind: RecordKind,
  places: readonly Place[],
  signal: AbortSignal,
): Promise<(readonly [key: string, name: string])[]> {
  if (kind === 'dokument') {
    const documents = await rpc('__o_get_dokumente', {}, { signal })
    return places.flatMap(({ key, path, record }) => {
      const isOffer = path.startsWith('/dokumente/angebot/')
      const found = documents.find(({ art, id }) => id === record?.id && (art === 'angebot') === isOffer)
      return found ? [[key, found.nummer] as const] : []
    })
  }
  const { table, select, name } = SOURCES[kind]
  const ids = places.flatMap(({ record }) => record?.id ?? [])
  const rows = await selectRows<Readonly<Record<string, never>>>(table, {
    select,
    filters: [oneOf(select[0], ids)],
    signal,
  })
  return Promise.all(
    rows.map(async (row) => [`${kind}:${Number(row[select[0]])}`, await name(row as never)] as const),
  )
}

/** What cannot be looked up now is left out like what is gone: it comes back with the next look. */
async function fetchNames(places: readonly Place[], signal: AbortSignal): Promise<Names> {
  const kinds = RECORD_KINDS.map(
    (kind) => [kind, places.filter(({ record }) => record?.kind === kind)] as const,
  )
  const answers = await Promise.allSettled(
    kinds.flatMap(([kind, some]) => (some.length > 0 ? [namesOfKind(kind, some, signal)] : [])),
  )
  return Object.fromEntries(answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : [])))
}

export const PLACE_NAMES = ['place-names']

/** @param places records, in any order */
export const placeNames = (places: readonly Place[]) =>
  queryOptions({
    // Names of trees contain their species, which has a name in each language.
    queryKey: [...PLACE_NAMES, shownLanguage(), ...places.map(({ key }) => key).toSorted()],
    queryFn: ({ signal }) => fetchNames(places, signal),
    staleTime: 5 * 60_000,
    placeholderData: keepPreviousData,
  })
