// Tables and saved views as CSV and JSON under their own address, for Excel, LibreOffice and scripts: with a
// key, live. Tables take the options of OData where somebody wants fewer rows or columns; a view has its own.
import { Readable } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { PROGRAM_LISTS } from '#contract/program-lists.ts'
import { type Caller, personOf } from '#server/caller.ts'
import { inRank } from '#server/rank.ts'
import { Refusal } from '#server/errors.ts'
import type { Room } from '#server/room.ts'
import { forNutzer } from '#server/route-caller.ts'
import { streamInTurn } from '#server/stream-in-turn.ts'
import { createWorkQueue, goneSignal } from '#server/work-queue.ts'
import { CSV, CSV_TYPE, type CsvForm } from './csv.ts'
import { describer } from './describe.ts'
import { type Given, queryOf, readOptions, readQuery, shownOf, type Table, type TableQuery } from './query.ts'
import { LONGEST_URL } from './page.ts'
import { readPage } from './read-table.ts'
import type { OdataOptions } from './routes.ts'
import { markOf, parseRows } from './rows.ts'
import { relationOf } from './sets.ts'
import { MOST_ROWS, type Row, type Streamed, streamRows, type Writer } from './stream.ts'
import { viewReader } from './views.ts'

const OPTIONS = ['$select', '$filter', '$orderby', '$top', '$skip', '$search', 'form'] as const
const OF_VIEW = ['form', 'sprache'] as const

type Ending = 'csv' | 'json'

/** `kunde.csv`: the table, and how it is written. */
function readFile(text: string): { readonly name: string; readonly ending: Ending } {
  const [, name, ending] = /^([\w-]{1,60})\.(csv|json)$/.exec(text) ?? []
  if (name === undefined || (ending !== 'csv' && ending !== 'json'))
    throw new Refusal('not_found', 'Diese Tabelle gibt es hier nicht. Adressen enden auf .csv oder .json.')
  return { name, ending }
}

function given(request: FastifyRequest, allowed: readonly string[]): Given {
  if (request.url.length > LONGEST_URL) throw new Refusal('too_large')
  return readOptions(queryOf(request.url), allowed)
}

const OF_FILE = {
  programs: (request: FastifyRequest): string =>
    relationOf((request.params as { file: string }).file.split('.', 1)[0] ?? ''),
}
const OF_LIST = {
  programs: (request: FastifyRequest): string =>
    PROGRAM_LISTS[(request.params as { list: string }).list]?.relation ?? 'kunde',
}

export function createTableRoom(options: OdataOptions): Room {
  const { database, dataApi, maxRows, mostRows } = options
  const tables = describer(database)
  const readerOf = viewReader(options)
  const { work = createWorkQueue() } = options
  const begin = (caller: Caller, reply: FastifyReply, rows: Streamed, writer: Writer) =>
    streamInTurn(work, { person: personOf(caller.claims), signal: goneSignal(reply) }, () =>
      streamRows(rows, writer),
    )

  async function sendTable(caller: Caller, request: FastifyRequest, reply: FastifyReply) {
    const { name, ending } = readFile((request.params as { file: string }).file)
    const table = (await tables()).get(name)
    if (table === undefined) throw new Refusal('not_found', 'Diese Tabelle gibt es hier nicht.')
    const asked = given(request, OPTIONS)
    const form = formOf(asked)
    const query = countedIfLarge(readQuery(table, asked), mostRows)
    const read = async (last: Row | null, limit: number) => {
      const page = await readPage(dataApi, caller, table, afterRow(query, last), {
        limit,
        exact: false,
        keyed: false,
      })
      const total = page.total === null ? null : Math.max(page.total - query.skip, 0)
      return { rows: parseRows(page.json), total }
    }
    const writer = ending === 'csv' ? csvOf(table, query, form) : jsonOf(table, query)
    const rows = { read: behind(read), top: query.top, maxRows, mostRows }
    return send(reply, name, ending, isHead(request) ? NOTHING() : await begin(caller, reply, rows, writer))
  }

  async function sendView(caller: Caller, request: FastifyRequest, reply: FastifyReply) {
    const { list } = request.params as { list: string }
    const { name, ending } = readFile((request.params as { file: string }).file)
    const asked = given(request, OF_VIEW)
    const form = formOf(asked)
    const { title, read, head, cells } = await readerOf(caller, { list, id: name, english: isEnglish(asked) })
    const csv = CSV[form]
    const names = uniqueNames(head)
    const writer: Writer =
      ending === 'csv'
        ? { head: csv.names(head), line: (row) => csv.cells(cells(row)), foot: '' }
        : jsonLines((row) => Object.fromEntries(cells(row).map((cell, at) => [names[at]!, bare(cell)])))
    const rows = { read: behind(read), top: null, maxRows, mostRows }
    return send(reply, title, ending, isHead(request) ? NOTHING() : await begin(caller, reply, rows, writer))
  }

  return {
    name: 'tables',
    routes: async (app: FastifyInstance) => {
      app.get('/:file', forNutzer(sendTable, OF_FILE))
      app.get('/:list/:file', forNutzer(sendView, OF_LIST))
    },
  }
}

/** A file is read behind what people wait for. */
const behind =
  (read: Streamed['read']): Streamed['read'] =>
  (last, limit) =>
    inRank('long', () => read(last, limit))

const isHead = ({ method }: FastifyRequest): boolean => method === 'HEAD'
/** Nobody gets the rows of an answer to HEAD, so none is read. */
const NOTHING = (): Readable => Readable.from([])

function formOf(asked: Given): CsvForm {
  const form = asked.get('form') ?? 'excel'
  if (form === 'excel' || form === 'rfc4180') return form
  throw new Refusal('bad_value', 'form: Es gibt excel und rfc4180.')
}

function isEnglish(asked: Given): boolean {
  const language = asked.get('sprache') ?? 'de'
  if (language !== 'de' && language !== 'en') throw new Refusal('bad_value', 'sprache: Es gibt de und en.')
  return language === 'en'
}

/** More rows than a file holds are all rows: these are counted, so that nobody takes a part for the whole. */
const countedIfLarge = (query: TableQuery, most = MOST_ROWS): TableQuery =>
  query.top !== null && query.top > most ? { ...query, top: null } : query

const afterRow = (query: TableQuery, last: Row | null): TableQuery =>
  last === null
    ? { ...query, counted: query.top === null }
    : { ...query, counted: false, token: { left: null, values: markOf(last, query.order) } }

function csvOf(table: Table, query: TableQuery, form: CsvForm): Writer {
  const csv = CSV[form]
  const shown = shownOf(table, query)
  return { head: csv.head(shown), line: (row) => csv.line(row, shown), foot: '' }
}

function jsonOf(table: Table, query: TableQuery): Writer {
  const shown = shownOf(table, query)
  return jsonLines((row) => Object.fromEntries(shown.map(({ name }) => [name, row[name]])))
}

const jsonLines = (objectOf: (row: Row) => object): Writer => ({
  head: '[',
  line: (row, nr) => `${nr === 0 ? '' : ','}\n${JSON.stringify(objectOf(row))}`,
  foot: '\n]\n',
})

/** A day or a moment as it is stored. */
const bare = (cell: unknown): unknown =>
  typeof cell === 'object' && cell !== null ? Object.values(cell as object)[0] : cell

/** Two columns may have the same heading, two members of an object may not. */
function uniqueNames(head: readonly string[]): string[] {
  const seen = new Map<string, number>()
  return head.map((name) => {
    const times = (seen.get(name) ?? 0) + 1
    seen.set(name, times)
    return times === 1 ? name : `${name} (${times})`
  })
}

/** @param name of the file; titles may have characters that headers do not take */
function send(reply: FastifyReply, name: string, ending: Ending, stream: Readable): FastifyReply {
  const plain = name.replaceAll(/[^\w-]/g, '_')
  const file = `filename="${plain}.${ending}"; filename*=UTF-8''${encodeURIComponent(name)}.${ending}`
  return reply
    .headers({
      'cache-control': 'private, no-store',
      vary: 'authorization',
      'content-disposition': `attachment; ${file}`,
      'content-type': ending === 'csv' ? CSV_TYPE : 'application/json; charset=utf-8',
    })
    .send(stream)
}
