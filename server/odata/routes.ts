// OData v4 under /odata, for Excel, Power BI and other programs that read tables: what the caller may see, live.
// Reads only; the statements are those of the data API.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '#server/caller.ts'
import type { DataApi } from '#server/data-api/data-api.ts'
import type { Formula } from '#server/data-api/formula.ts'
import type { Database, Statement } from '#server/database/database.ts'
import { Refusal } from '#server/errors.ts'
import { asNutzer } from '#server/nutzer.ts'
import { ODATA_BASE } from '#contract/program-lists.ts'
import type { Room } from '#server/room.ts'
import type { WorkQueue } from '#server/work-queue.ts'
import { forAnyone, forNutzer } from '#server/route-caller.ts'
import { type Place, readPlace } from './address.ts'
import { describer } from './describe.ts'
import { columnOf, type Property, TYPE_OF } from './edm.ts'
import { apply, valueOf } from './filter.ts'
import { chooseForm, type Form, preferredPage, wantsMetadataJson } from './format.ts'
import { metadataJson, metadataXml, serviceDocument } from './metadata.ts'
import { afterNear, type Page, type PageRow, keyIn, rowMark } from './near-mark.ts'
import { afterToken } from './order.ts'
import { LONGEST_FIRST, LONGEST_URL, printSkiptoken } from './page.ts'
import { type Given, queryOf, readOptions, readQuery, shownOf, type Table, type TableQuery } from './query.ts'
import { readPage } from './read-table.ts'
import { keyText, markOf, parseRows, type Row, shaped } from './rows.ts'
import { relationOf } from './sets.ts'
import { METHODS, notAcceptable, refuseWrite, send, sendJson, stamped } from './send.ts'
import { visibleTables } from './visible.ts'

export interface OdataOptions {
  readonly database: Database
  readonly dataApi: Pick<DataApi, 'read' | 'readAddress'>
  /** What addresses in answers begin with. */
  readonly origin: string
  /** Rows of an answer at most. */
  readonly maxRows: number
  /** The lists of the screens, built for the server. */
  readonly listsFile: string
  /** Rows of a file at most; for tests. */
  readonly mostRows?: number
  /** Milliseconds that one statement of ours may take. */
  readonly readMs: number
  /** Files with whole tables wait for their turn. */
  readonly work?: WorkQueue
}

/** Rows of a page where the program has no wish, and at most. */
const PAGE = 2_000
const MOST_ON_PAGE = 5_000
const OF_FIRST_PAGE: ReadonlySet<string> = new Set(['$top', '$skip', '$count', '$skiptoken'])
const OF_ROW = ['$select', '$format'] as const
const OF_DOCUMENT = ['$format'] as const

/** What a route reads, for keys of programs. */
const OF_TABLE = {
  programs: (request: FastifyRequest): string => {
    const { resource = '' } = request.params as { resource?: string }
    return relationOf(resource.split('(', 1)[0] ?? '')
  },
}
/** Documents ask for every table whether it is open. */
const OF_DOCUMENTS = { programs: 'kunde' }

const givenRow = ({ set }: Table, { order }: TableQuery, row: Row): PageRow => ({
  key: keyText(row[set.key]),
  values: markOf(row, order),
})
const listOf = ({ kind }: Property, values: readonly string[]): Formula => ({
  kind: 'values',
  values,
  type: kind === 'other' ? 'text' : TYPE_OF[kind],
})

export function createOdataRoom({
  database,
  dataApi,
  origin,
  maxRows,
  readMs,
}: Omit<OdataOptions, 'listsFile'>): Room {
  const base = `${origin}${ODATA_BASE}`
  const tables = describer(database)

  const ask = async <Row>(caller: Caller, statement: Statement): Promise<Row[]> =>
    (await database.once<Row>(asNutzer(caller, { readOnly: true, timeoutMs: readMs }), statement)).rows
  const seenBy = async (caller: Caller): Promise<Table[]> => visibleTables(caller, await tables(), ask)

  const given = (request: FastifyRequest, allowed?: readonly string[]): Given => {
    const options = request.url.length > LONGEST_URL ? null : readOptions(queryOf(request.url), allowed)
    if (options === null || (request.url.length > LONGEST_FIRST && !options.has('$skiptoken')))
      throw new Refusal('too_large', `Eine Adresse hat höchstens ${LONGEST_FIRST} Zeichen.`)
    return options
  }
  const formOf = (request: FastifyRequest, options: Given): Form => {
    const form = chooseForm(options.get('$format'), request.headers.accept)
    if (form === null) throw notAcceptable()
    return form
  }

  async function sendService(caller: Caller, request: FastifyRequest, reply: FastifyReply) {
    const form = formOf(request, given(request, OF_DOCUMENT))
    const document = serviceDocument(base, await seenBy(caller), form.metadata !== 'none')
    return sendJson(reply, form, JSON.stringify(document))
  }

  async function sendMetadata(caller: Caller, request: FastifyRequest, reply: FastifyReply) {
    const format = given(request, OF_DOCUMENT).get('$format')
    const seen = await seenBy(caller)
    if (format !== undefined && !/^(?:xml|application\/xml|json|application\/json)\b/.test(format))
      throw notAcceptable()
    return wantsMetadataJson(format, request.headers.accept)
      ? send(reply, 'application/json;charset=utf-8', JSON.stringify(metadataJson(seen)))
      : send(reply, 'application/xml;charset=utf-8', metadataXml(seen))
  }

  async function placeOf(request: FastifyRequest): Promise<Place> {
    const { resource } = request.params as { resource: string }
    return readPlace(resource, await tables())
  }

  async function sendResource(caller: Caller, request: FastifyRequest, reply: FastifyReply) {
    const place = await placeOf(request)
    return place.key === null
      ? sendRows(caller, place.table, request, reply)
      : sendRow(caller, place, request, reply)
  }

  async function sendRows(caller: Caller, table: Table, request: FastifyRequest, reply: FastifyReply) {
    const options = given(request)
    const form = formOf(request, options)
    const query = await withMark(caller, table, readQuery(table, options))
    const wished = preferredPage(String(request.headers['prefer'] ?? ''))
    // The row after a page tells that there is another one.
    const size = Math.max(Math.min(wished ?? PAGE, MOST_ON_PAGE, maxRows - 1), 1)
    const left = query.token === null ? query.top : query.token.left
    const limit = Math.min(left ?? size, size)
    const isLast = left !== null && left <= limit
    const full = form.metadata === 'full'
    const page = await readPage(dataApi, caller, table, query, {
      limit: isLast ? limit : limit + 1,
      exact: form.exact,
      keyed: full,
    })
    const shown = shownOf(table, query)
    const found = parseRows(page.json)
    const rows = found.slice(0, limit)
    const isEnd = found.length === rows.length || rows.length === 0
    const next = isEnd
      ? null
      : nextLink(request, left === null ? null : left - rows.length, {
          count: rows.length,
          row: (nr) => givenRow(table, query, rows[nr]!),
          before: query.token ?? (query.skip === 0 ? 'nothing' : 'skipped'),
        })
    if (wished !== null) reply.header('preference-applied', `odata.maxpagesize=${size}`)
    const whole = !full && isEnd && page.columns.length === shown.length
    const value = whole
      ? page.json
      : JSON.stringify(rows.map((row) => shaped(row, { set: table.set, shown, form, base })))
    const head = {
      ...(form.metadata !== 'none' && { '@odata.context': contextOf(table, query, '') }),
      ...(page.total !== null && { '@odata.count': page.total }),
    }
    const tail = next === null ? '' : `,"@odata.nextLink":${JSON.stringify(next)}`
    const start = JSON.stringify(head).slice(0, -1)
    return sendJson(reply, form, `${start}${start === '{' ? '' : ','}"value":${value}${tail}}`)
  }

  const contextOf = ({ set }: Table, { select }: Pick<TableQuery, 'select'>, end: string): string =>
    `${base}/$metadata#${set.name}${select.length === 0 ? '' : `(${select.map(({ name }) => name).join(',')})`}${end}`

  /** Pieces of the address as they came: encoded in another way it might become too long. */
  function nextLink(request: FastifyRequest, left: number | null, page: Page): string {
    const [path = ''] = request.url.split('?', 1)
    const kept = queryOf(request.url)
      .split('&')
      .filter((piece) => [...new URLSearchParams(piece).keys()].some((name) => !OF_FIRST_PAGE.has(name)))
    const start = `${path}?${kept.map((piece) => `${piece}&`).join('')}$skiptoken=`
    return `${origin}${start}${printSkiptoken(left, page, LONGEST_URL - start.length)}`
  }

  /** Where a mark without the values of its row goes on: after the latest of its rows that is as it was. */
  async function withMark(caller: Caller, table: Table, query: TableQuery): Promise<TableQuery> {
    const { token, order } = query
    if (token?.near === undefined) return query
    const { left, near } = token
    const key = table.properties.get(table.set.key)!
    const named = apply('among', columnOf(key), listOf(key, near.rows.map(keyIn)))
    const select = order.map(({ property }) => property)
    const wanted = { ...query, select, conditions: [named], skip: 0, counted: false, token: null }
    const of = { limit: near.rows.length, exact: true, keyed: true }
    const found = parseRows((await readPage(dataApi, caller, table, wanted, of)).json)
    const present = new Map(found.map((row) => [rowMark(givenRow(table, query, row)), markOf(row, order)]))
    const at = near.rows.findIndex((mark) => present.has(mark))
    const values = at === -1 ? [] : present.get(near.rows[at]!)!
    const sent = near.rows.slice(0, at === -1 ? undefined : at).map(keyIn)
    const past = at === -1 ? afterNear(order, near) : afterToken(order, { values })
    const others = sent.length === 0 ? [] : [apply('not', apply('among', columnOf(key), listOf(key, sent)))]
    return { ...query, token: { left, values, near, after: [...past, ...others] } }
  }

  async function rowAt(caller: Caller, { table, key }: Place, query: TableQuery, form: Pick<Form, 'exact'>) {
    const property = table.properties.get(table.set.key)!
    const type = property.kind === 'other' ? 'text' : TYPE_OF[property.kind]
    const wanted = { ...query, conditions: [apply('same', columnOf(property), valueOf(key ?? '', type))] }
    const page = await readPage(dataApi, caller, table, wanted, { limit: 1, exact: form.exact, keyed: true })
    const [row] = parseRows(page.json)
    if (row === undefined) throw new Refusal('not_found', 'Diese Zeile gibt es nicht.')
    return row
  }

  async function sendRow(caller: Caller, place: Place, request: FastifyRequest, reply: FastifyReply) {
    const options = given(request, OF_ROW)
    const form = formOf(request, options)
    const query = readQuery(place.table, options)
    const row = await rowAt(caller, place, query, form)
    const { table } = place
    const body = {
      ...(form.metadata !== 'none' && { '@odata.context': contextOf(table, query, '/$entity') }),
      ...shaped(row, { set: table.set, shown: shownOf(table, query), form, base }),
    }
    return sendJson(reply, form, JSON.stringify(body))
  }

  /** `kunde/$count`, `kunde(1)/name`. */
  async function sendPart(caller: Caller, request: FastifyRequest, reply: FastifyReply) {
    const place = await placeOf(request)
    const { part } = request.params as { part: string }
    if (place.key === null) {
      if (part !== '$count')
        throw new Refusal('not_found', 'Nach einer Tabelle kann in der Adresse nur $count stehen.')
      return sendCount(caller, place.table, request, reply)
    }
    const property = place.table.properties.get(part)
    if (property === undefined) throw new Refusal('not_found', 'Diese Spalte gibt es hier nicht.')
    const form = formOf(request, given(request, OF_DOCUMENT))
    const query = { ...readQuery(place.table, new Map()), select: [property] }
    const value = (await rowAt(caller, place, query, form))[property.name]
    if (value === null) return stamped(reply).code(204).send()
    const { set } = place.table
    const context = `${base}/$metadata#${set.name}(${place.key ?? ''})/${property.name}`
    const body = { ...(form.metadata !== 'none' && { '@odata.context': context }), value }
    return sendJson(reply, form, JSON.stringify(body))
  }

  async function sendCount(caller: Caller, table: Table, request: FastifyRequest, reply: FastifyReply) {
    const options = given(request, ['$filter', '$search'])
    const query = { ...readQuery(table, options), select: [], counted: true }
    const page = await readPage(dataApi, caller, table, query, { limit: 0, exact: false, keyed: false })
    return send(reply, 'text/plain;charset=utf-8', String(page.total ?? 0))
  }

  return {
    name: 'OData',
    routes: async (app: FastifyInstance) => {
      // Whatever a write brings is not read, so that it is refused as a write and not for its form.
      app.removeAllContentTypeParsers()
      app.addContentTypeParser('*', (_request, _payload, done) => done(null))
      app.get('/', forNutzer(sendService, OF_DOCUMENTS))
      app.get('/$metadata', forNutzer(sendMetadata, OF_DOCUMENTS))
      app.get('/:resource', forNutzer(sendResource, OF_TABLE))
      app.get('/:resource/:part', forNutzer(sendPart, OF_TABLE))
      const allowed = forAnyone((_, reply) => stamped(reply).header('allow', METHODS).code(204).send())
      for (const url of ['/', '/*']) app.options(url, allowed)
      const readOnly = forNutzer((_, request, reply) => refuseWrite(request, reply), OF_DOCUMENTS)
      for (const url of ['/', '/*'])
        app.route({ method: ['POST', 'PUT', 'PATCH', 'DELETE'], url, ...readOnly })
    },
  }
}
