// OGC API Styles, as its draft 20-009 (1.0.0-draft.1 of May 2021) has it: which styles there are for the vector tiles
// that a caller sees something in, the styles themselves, and what is said about them. They are read, not changed.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '#server/caller.ts'
import { Refusal } from '#server/errors.ts'
import { forNutzer } from '#server/route-caller.ts'
import { type Collection, type GeometryKind, OF_PLANS } from './collections.ts'
import type { Column } from './columns.ts'
import { JSON_TYPE, type Link, schemaOf, STYLE_TYPE, styleLinks, TILES_REL } from './documents.ts'
import { propertiesOf } from './looks.ts'
import { styleHtml, stylesHtml } from './pages.ts'
import { allowOnly, readPairs } from './query.ts'
import type { Scope, ScopeOf } from './scope.ts'
import { DEFAULT_STYLE, type Seen, styleSheet, stylesOf } from './style.ts'

export interface StyleOptions {
  readonly scopeOf: ScopeOf
  readonly seenBy: (caller: Caller, scope: Scope) => Promise<Seen>
  readonly columnsOf: (collection: Collection) => Promise<ReadonlyMap<string, Column>>
  readonly send: (
    reply: FastifyReply,
    request: FastifyRequest,
    document: object,
    page: () => string,
  ) => FastifyReply
}

const GEOMETRY_TYPES: Readonly<Record<GeometryKind, string>> = {
  point: 'points',
  line: 'lines',
  polygon: 'polygons',
}
const SPECIFICATION = 'https://docs.mapbox.com/style-spec/reference/'

export function styleRoutes(app: FastifyInstance, options: StyleOptions): void {
  const { scopeOf, seenBy, columnsOf } = options

  async function styleOf(caller: Caller, request: FastifyRequest) {
    const { base } = scopeOf(request)
    const seen = await seenBy(caller, scopeOf(request))
    const asked = (request.params as { style: string }).style
    const style = stylesOf(seen).find(({ id }) => id === asked)
    if (style === undefined) throw new Refusal('not_found', 'Diesen Stil gibt es nicht.')
    return { base, seen, style }
  }

  const list = async (caller: Caller, request: FastifyRequest, reply: FastifyReply) => {
    allowOnly(readPairs(request.query), ['f'])
    const { base } = scopeOf(request)
    const styles = stylesOf(await seenBy(caller, scopeOf(request)))
    const document = {
      ...(styles.length > 0 && { default: DEFAULT_STYLE }),
      styles: styles.map(({ id, title }) => ({ id, title, links: styleLinks(base, id, title) })),
    }
    return options.send(reply, request, document, () => stylesHtml(base, styles))
  }

  const send = async (caller: Caller, request: FastifyRequest, reply: FastifyReply) => {
    const given = readPairs(request.query)
    allowOnly(given, ['f'])
    if (!['mapbox', undefined].includes(given.get('f')))
      throw new Refusal('bad_value', 'f: Einen Stil gibt es nur als mapbox.')
    const { base, seen, style } = await styleOf(caller, request)
    return reply
      .headers({ 'cache-control': 'private, no-cache', vary: 'authorization', 'content-language': 'de' })
      .type(STYLE_TYPE)
      .send(Buffer.from(JSON.stringify(styleSheet(base, style, seen))))
  }

  const describe = async (caller: Caller, request: FastifyRequest, reply: FastifyReply) => {
    allowOnly(readPairs(request.query), ['f'])
    const { base, style } = await styleOf(caller, request)
    const { id, title, description, looks } = style
    const layers = looks.map(async (look) => {
      const { collection } = look
      const columns = await columnsOf(collection)
      const needed = style.withNames ? propertiesOf(look) : []
      return {
        id: collection.id,
        description: collection.description,
        dataType: 'vector',
        geometryType: GEOMETRY_TYPES[collection.kind],
        propertiesSchema: Object.fromEntries(
          needed.flatMap((name) => {
            const column = columns.get(name)
            return column === undefined ? [] : [[name, schemaOf(column)]]
          }),
        ),
        sampleData: {
          href: `${base}/collections/${collection.id}/tiles`,
          rel: TILES_REL,
          type: JSON_TYPE,
          title: `${collection.title} als Vektorkacheln`,
        },
      }
    })
    const [sheet, self] = styleLinks(base, id, title) as [Link, Link]
    const document = {
      id,
      title,
      description,
      keywords: looks.map(({ collection }) => collection.title),
      scope: 'style',
      stylesheets: [
        { title: 'Mapbox Style', version: '8', specification: SPECIFICATION, native: true, link: sheet },
      ],
      layers: await Promise.all(layers),
      links: [{ ...self, rel: 'self' }],
    }
    reply.header('content-language', 'de')
    return options.send(reply, request, document, () => styleHtml(base, style))
  }

  app.get('/styles', forNutzer(list, OF_PLANS))
  app.get('/styles/:style', forNutzer(send, OF_PLANS))
  app.get('/styles/:style/metadata', forNutzer(describe, OF_PLANS))
}
