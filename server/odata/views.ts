// Saved views of lists: what their owner sees there, written by the same lists as on screen
// (contract/program-lists.ts). The rows come from the data API under the caller's rights; a view of somebody else does
// not exist.
import { pathToFileURL } from 'node:url'
import { PROGRAM_LISTS, type ProgramListsModule, type ViewReader } from '#contract/program-lists.ts'
import type { Caller } from '#server/caller.ts'
import { Refusal } from '#server/errors.ts'
import { asNutzer } from '#server/nutzer.ts'
import { explain } from './read-table.ts'
import type { OdataOptions } from './routes.ts'
import type { Row, Streamed } from './stream.ts'

interface Asked {
  readonly list: string
  readonly id: string
  readonly english: boolean
}

interface View {
  readonly liste: string
  readonly suche: string
  readonly spalten: string | null
  readonly answers: boolean
}

const OWN_VIEW = `select v.liste, v.suche, pg_catalog.to_json(v.spalten)::text as spalten,
    rights.has_role('appuser_admin') as answers
  from accounts.own_view($1::bigint) v`

export interface ReadableView extends Pick<ViewReader, 'title' | 'head' | 'cells'> {
  readonly read: Streamed['read']
}

export function viewReader({ database, dataApi, readMs, listsFile }: OdataOptions) {
  /** A copy of the module for each language, loaded when it is needed. */
  const modules = new Map<string, Promise<ProgramListsModule>>()

  function listsIn(language: 'de' | 'en'): Promise<ProgramListsModule> {
    const known = modules.get(language)
    if (known !== undefined) return known
    const loaded = load(`${pathToFileURL(listsFile).href}?sprache=${language}`, language === 'en')
    modules.set(language, loaded)
    loaded.catch(() => modules.delete(language))
    return loaded
  }

  return async (caller: Caller, { list, id, english }: Asked): Promise<ReadableView> => {
    const relation = Object.hasOwn(PROGRAM_LISTS, list) ? PROGRAM_LISTS[list]?.relation : undefined
    const missing = new Refusal('not_found', 'Diese Ansicht gibt es nicht, oder sie gehört jemand anderem.')
    if (relation === undefined || !/^\d{1,18}$/.test(id)) throw missing
    const context = asNutzer(caller, { readOnly: true, timeoutMs: readMs })
    const { rows } = await database.once<View>(context, { name: 'own_view', text: OWN_VIEW, values: [id] })
    const view = rows[0]
    if (view === undefined || view.liste !== list) throw missing
    const columns = view.spalten === null ? null : (JSON.parse(view.spalten) as string[])
    const { readerOf } = await listsIn(english ? 'en' : 'de')
    const reader = readerOf(list, { suche: view.suche, spalten: columns, mayAnswer: view.answers })
    if (reader === null) throw missing
    const { title, head, cells, query, markOf } = reader
    const read = async (last: Row | null, limit: number) => {
      const mark = last === null ? null : markOf(last)
      const address = { target: relation, query: query(mark, limit), counted: last === null }
      const { json, total } = await dataApi.readAddress(address, caller).catch(explain)
      return { rows: JSON.parse(json) as Row[], total }
    }
    return { title, head, cells, read }
  }
}

async function load(file: string, english: boolean): Promise<ProgramListsModule> {
  const lists = (await import(file)) as ProgramListsModule
  if (english) lists.speakEnglish()
  return lists
}
