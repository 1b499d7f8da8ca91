// Answers of OData: documents, pages of rows, single rows and values. The statements are those of the data API.
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ODATA_BASE } from '#contract/program-lists.ts'
import type { Caller } from '#server/caller.ts'
import type { DataApi } from '#server/data-api/data-api.ts'
import type { Formula } from '#server/data-api/formula.ts'
import type { Database, Statement } from '#server/database/database.ts'
import { Refusal } from '#server/errors.ts'
import { asNutzer } from '#server/nutzer.ts'
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
import { notAcceptable, send, sendJson, stamped } from './send.ts'
import { visibleTables } from './visible.ts'

export interface ReadOptions {
  readonly database: Database
  readonly dataApi: Pick<DataApi, 'read' | 'readAddress'>
  /** What addresses in answers begin with. */
  readonly origin: string
  /** Rows of an answer at most. */
  readonly maxRows: number
  /** Milliseconds that one statement of ours may take. */
  readonly readMs: number
}

/** Rows of a page where the program has no wish, and at most. */
const PAGE = 2_000
const MOST_ON_PAGE = 5_000
const OF_FIRST_PAGE: ReadonlySet<string> = new Set(['$top', '$skip', '$count', '$skiptoken'])
const OF_ROW = ['$select', '$format'] as const
const OF_DOCUMENT = ['$format'] as const

const givenRow = ({ set }: Table, { order }: TableQuery, row: Row): PageRow => ({
  key: keyText(row[set.key]),
  values: markOf(row, order),
})
const listOf = ({ kind }: Property, values: readonly string[]): Formula => ({
  kind: 'values',
  values,
  type: kind === 'other' ? 'text' : TYPE_OF[kind],
})

export class OdataReads {
  readonly #database: Database
  readonly #dataApi: ReadOptions['dataApi']
  readonly #origin: string
  readonly #base: string
  readonly #maxRows: number
  readonly #readMs: number
  readonly #tables: ReturnType<typeof describer>

  constructor({ database, dataApi, origin, maxRows, readMs }: ReadOptions) {
    this.#database = database
    this.#dataApi = dataApi
    this.#origin = origin
    this.#base = `${origin}${ODATA_BASE}`
    this.#maxRows = maxRows
    this.#readMs = readMs
    this.#tables = describer(database)
  }

  readonly #ask = async <Row>(caller: Caller, statement: Statement): Promise<Row[]> =>
    (await this.#database.once<Row>(asNutzer(caller, { readOnly: true, timeoutMs: this.#readMs }), statement))
      .rows
  async #seenBy(caller: Caller): Promise<Table[]> {
    return visibleTables(caller, await this.#tables(), this.#ask)
  }

  #given(request: FastifyRequest, allowed?: readonly string[]): Given {
    const options = request.url.length > LONGEST_URL ? null : readOptions(queryOf(request.url), allowed)
    if (options === null || (request.url.length > LONGEST_FIRST && !options.has('$skiptoken')))
      throw new Refusal('too_large', `Eine Adresse hat höchstens ${LONGEST_FIRST} Zeichen.`)
    return options
  }
  #formOf(request: FastifyRequest, options: Given): Form {
    const form = chooseForm(options.get('$format'), request.headers.accept)
    if (form === null) throw notAcceptable()
    return form
  }

  async sendService(caller: Caller, request: FastifyRequest, reply: FastifyReply) {
    const form = this.#formOf(request, this.#given(request, OF_DOCUMENT))
    const document = serviceDocument(this.#base, await this.#seenBy(caller), form.metadata !== 'none')
    return sendJson(reply, form, JSON.stringify(document))
  }

  async sendMetadata(caller: Caller, request: FastifyRequest, reply: FastifyReply) {
    const format = this.#given(request, OF_DOCUMENT).get('$format')
    const seen = await this.#seenBy(caller)
    if (format !== undefined && !/^(?:xml|application\/xml|json|application\/json)\b/.test(format))
      throw notAcceptable()
    return wantsMetadataJson(format, request.headers.accept)
      ? send(reply, 'application/json;charset=utf-8', JSON.stringify(metadataJson(seen)))
      : send(reply, 'application/xml;charset=utf-8', metadataXml(seen))
  }

  async #placeOf(request: FastifyRequest): Promise<Place> {
    const { resource } = request.params as { resource: string }
    return readPlace(resource, await this.#tables())
  }

  async sendResource(caller: Caller, request: FastifyRequest, reply: FastifyReply) {
    const place = await this.#placeOf(request)
    return place.key === null
      ? this.#sendRows(caller, place.table, request, reply)
      : this.#sendRow(caller, place, request, reply)
  }

  async #sendRows(caller: Caller, table: Table, request: FastifyRequest, reply: FastifyReply) {
    const options = this.#given(request)
    const form = this.#formOf(request, options)
    const query = await this.#withMark(caller, table, readQuery(table, options))
    const wished = preferredPage(String(request.headers['prefer'] ?? ''))
    // The row after a page tells that there is another one.
    const size = Math.max(Math.min(wished ?? PAGE, MOST_ON_PAGE, this.#maxRows - 1), 1)
    const left = query.token === null ? query.top : query.token.left
    const limit = Math.min(left ?? size, size)
    const isLast = left !== null && left <= limit
    const full = form.metadata === 'full'
    const page = await readPage(this.#dataApi, caller, table, query, {
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
      : this.#nextLink(request, left === null ? null : left - rows.length, {
          count: rows.length,
          row: (nr) => givenRow(table, query, rows[nr]!),
          before: query.token ?? (query.skip === 0 ? 'nothing' : 'skipped'),
        })
    if (wished !== null) reply.header('preference-applied', `odata.maxpagesize=${size}`)
    const whole = !full && isEnd && page.columns.length === shown.length
    const value = whole
      ? page.json
      : JSON.stringify(rows.map((row) => shaped(row, { set: table.set, shown, form, base: this.#base })))
    const head = {
      ...(form.metadata !== 'none' && { '@odata.context': this.#contextOf(table, query, '') }),
      ...(page.total !== null && { '@odata.count': page.total }),
    }
    const tail = next === null ? '' : `,"@odata.nextLink":${JSON.stringify(next)}`
    const start = JSON.stringify(head).slice(0, -1)
    return sendJson(reply, form, `${start}${start === '{' ? '' : ','}"value":${value}${tail}}`)
  }

  #contextOf({ set }: Table, { select }: Pick<TableQuery, 'select'>, end: string): string {
    const names = select.length === 0 ? '' : `(${select.map(({ name }) => name).join(',')})`
    return `${this.#base}/$metadata#${set.name}${names}${end}`
  }

  /** Pieces of the address as they came: encoded in another way it might become too long. */
  #nextLink(request: FastifyRequest, left: number | null, page: Page): string {
    const [path = ''] = request.url.split('?', 1)
    const kept = queryOf(request.url)
      .split('&')
      .filter((piece) => [...new URLSearchParams(piece).keys()].some((name) => !OF_FIRST_PAGE.has(name)))
    const start = `${path}?${kept.map((piece) => `${piece}&`).join('')}$skiptoken=`
    return `${this.#origin}${start}${printSkiptoken(left, page, LONGEST_URL - start.length)}`
  }

  /** Where a mark without the values of its row goes on: after the latest of its rows that is as it was. */
  async #withMark(caller: Caller, table: Table, query: TableQuery): Promise<TableQuery> {
    const { token, order } = query
    if (token?.near === undefined) return query
    const { left, near } = token
    const key = table.properties.get(table.set.key)!
    const named = apply('among', columnOf(key), listOf(key, near.rows.map(keyIn)))
    const select = order.map(({ property }) => property)
    const wanted = { ...query, select, conditions: [named], skip: 0, counted: false, token: null }
    const of = { limit: near.rows.length, exact: true, keyed: true }
    const found = parseRows((await readPage(this.#dataApi, caller, table, wanted, of)).json)
    const present = new Map(found.map((row) => [rowMark(givenRow(table, query, row)), markOf(row, order)]))
    const at = near.rows.findIndex((mark) => present.has(mark))
    const values = at === -1 ? [] : present.get(near.rows[at]!)!
    const sent = near.rows.slice(0, at === -1 ? undefined : at).map(keyIn)
    const past = at === -1 ? afterNear(order, near) : afterToken(order, { values })
    const others = sent.length === 0 ? [] : [apply('not', apply('among', columnOf(key), listOf(key, sent)))]
    return { ...query, token: { left, values, near, after: [...past, ...others] } }
  }

  async #rowAt(caller: Caller, { table, key }: Place, query: TableQuery, form: Pick<Form, 'exact'>) {
    const property = table.properties.get(table.set.key)!
    const type = property.kind === 'other' ? 'text' : TYPE_OF[property.kind]
    const wanted = { ...query, conditions: [apply('same', columnOf(property), valueOf(key ?? '', type))] }
    const page = await readPage(this.#dataApi, caller, table, wanted, {
      limit: 1,
      exact: form.exact,
      keyed: true,
    })
    const [row] = parseRows(page.json)
    if (row === undefined) throw new Refusal('not_found', 'Diese Zeile gibt es nicht.')
    return row
  }

  async #sendRow(caller: Caller, place: Place, request: FastifyRequest, reply: FastifyReply) {
    const options = this.#given(request, OF_ROW)
    const form = this.#formOf(request, options)
    const query = readQuery(place.table, options)
    const row = await this.#rowAt(caller, place, query, form)
    const { table } = place
    const body = {
      ...(form.metadata !== 'none' && { '@odata.context': this.#contextOf(table, query, '/$entity') }),
      ...shaped(row, { set: table.set, shown: shownOf(table, query), form, base: this.#base }),
    }
    return sendJson(reply, form, JSON.stringify(body))
  }

  /** `kunde/$count`, `kunde(1)/name`. */
  async sendPart(caller: Caller, request: FastifyRequest, reply: FastifyReply) {
    const place = await this.#placeOf(request)
    const { part } = request.params as { part: string }
    if (place.key === null) {
      if (part !== '$count')
        throw new Refusal('not_found', 'Nach einer Tabelle kann in der Adresse nur $count stehen.')
      return this.#sendCount(caller, place.table, request, reply)
    }
    const property = place.table.properties.get(part)
    if (property === undefined) throw new Refusal('not_found', 'Diese Spalte gibt es hier nicht.')
    const form = this.#formOf(request, this.#given(request, OF_DOCUMENT))
    const query = { ...readQuery(place.table, new Map()), select: [property] }
    const value = (await this.#rowAt(caller, place, query, form))[property.name]
    if (value === null) return stamped(reply).code(204).send()
    const { set } = place.table
    const context = `${this.#base}/$metadata#${set.name}(${place.key ?? ''})/${property.name}`
    const body = { ...(form.metadata !== 'none' && { '@odata.context': context }), value }
    return sendJson(reply, form, JSON.stringify(body))
  }

  async #sendCount(caller: Caller, table: Table, request: FastifyRequest, reply: FastifyReply) {
    const options = this.#given(request, ['$filter', '$search'])
    const query = { ...readQuery(table, options), select: [], counted: true }
    const page = await readPage(this.#dataApi, caller, table, query, { limit: 0, exact: false, keyed: false })
    return send(reply, 'text/plain;charset=utf-8', String(page.total ?? 0))
  }
}
