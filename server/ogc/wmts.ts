// Plans as a WMTS (OGC 07-057r7): the description of the layers a caller may see. The tiles themselves are those
// of the product's own maps, asked for with the same key.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '#server/caller.ts'
import type { Statement } from '#server/database/database.ts'
import { Refusal } from '#server/errors.ts'
import { html, type Html } from '#server/html.ts'
import { forNutzer } from '#server/route-caller.ts'
import { findCollection, OF_PLANS } from './collections.ts'
import type { Scope, ScopeOf } from './scope.ts'

export interface WmtsOptions {
  readonly scopeOf: ScopeOf
  /** Address of the general API. */
  readonly files: string
  readonly ask: <Row>(caller: Caller, statement: Statement) => Promise<Row[]>
}

/** Programs read all layers before they show the first. */
export const MOST_LAYERS = 2_000

interface Layer {
  readonly id: string
  readonly ergebnis: string
  readonly title: string
  readonly abstract: string | null
  readonly west: string
  readonly south: string
  readonly east: string
  readonly north: string
}

export const WMTS_PATH = '/wmts/1.0.0/WMTSCapabilities.xml'

/** The newest plans with a result. */
const layersStatement = ({ condition, values }: Scope): Statement => ({
  text: `select t.id::text as id, t.ergebnis::text as ergebnis, concat_ws(': ', c.name, t.map_name) as title,
      concat_ws(', ', t.gemarkung, t.jahr, '1:' || t.scale) as abstract, public.st_xmin(t.geom)::text as west,
      public.st_ymin(t.geom)::text as south, public.st_xmax(t.geom)::text as east,
      public.st_ymax(t.geom)::text as north
    from ${findCollection('plan')!.source} left join app.kunde c on c.client_id = t.client_id
    where ${condition} order by t.id desc limit ${MOST_LAYERS}`,
  values,
})

const HALF = 20_037_508.342789244
const LEVELS = 23
const NAME = 'GoogleMapsCompatible'

function matrix(level: number): Html {
  // The scale at a pixel of 0.28 mm, as the standard defines it.
  const denominator = (2 * HALF) / 256 / 2 ** level / 0.00028
  return html`<TileMatrix><ows:Identifier>${level}</ows:Identifier>
<ScaleDenominator>${denominator}</ScaleDenominator><TopLeftCorner>${-HALF} ${HALF}</TopLeftCorner>
<TileWidth>256</TileWidth><TileHeight>256</TileHeight>
<MatrixWidth>${2 ** level}</MatrixWidth><MatrixHeight>${2 ** level}</MatrixHeight></TileMatrix>
`
}

function layer(files: string, one: Layer): Html {
  const tile = `${files}/karte/${one.id}/auflage/${one.ergebnis}/{TileMatrix}/{TileCol}/{TileRow}?bild=png`
  return html`<Layer><ows:Title>${one.title}</ows:Title>
<ows:Abstract>${one.abstract}</ows:Abstract>
<ows:WGS84BoundingBox><ows:LowerCorner>${one.west} ${one.south}</ows:LowerCorner>
<ows:UpperCorner>${one.east} ${one.north}</ows:UpperCorner></ows:WGS84BoundingBox>
<ows:Identifier>plan-${one.id}</ows:Identifier>
<Style isDefault="true"><ows:Identifier>default</ows:Identifier></Style>
<Format>image/png</Format>
<TileMatrixSetLink><TileMatrixSet>${NAME}</TileMatrixSet></TileMatrixSetLink>
<ResourceURL format="image/png" resourceType="tile" template="${tile}"/></Layer>
`
}

const capabilities = (here: string, files: string, layers: readonly Layer[]): string =>
  html`<?xml version="1.0" encoding="UTF-8"?>
<Capabilities xmlns="http://www.opengis.net/wmts/1.0" xmlns:ows="http://www.opengis.net/ows/1.1"
 xmlns:xlink="http://www.w3.org/1999/xlink" version="1.0.0">
<ows:ServiceIdentification><ows:Title>Forstkontor: Pläne</ows:Title><ows:ServiceType>OGC WMTS</ows:ServiceType>
<ows:ServiceTypeVersion>1.0.0</ows:ServiceTypeVersion></ows:ServiceIdentification>
<ows:OperationsMetadata><ows:Operation name="GetCapabilities"><ows:DCP><ows:HTTP><ows:Get xlink:href="${here}">
<ows:Constraint name="GetEncoding"><ows:AllowedValues><ows:Value>RESTful</ows:Value></ows:AllowedValues>
</ows:Constraint></ows:Get></ows:HTTP></ows:DCP></ows:Operation></ows:OperationsMetadata>
<Contents>
${layers.map((one) => layer(files, one))}<TileMatrixSet><ows:Identifier>${NAME}</ows:Identifier>
<ows:SupportedCRS>urn:ogc:def:crs:EPSG::3857</ows:SupportedCRS>
<WellKnownScaleSet>urn:ogc:def:wkss:OGC:1.0:GoogleMapsCompatible</WellKnownScaleSet>
${Array.from({ length: LEVELS }, (_, level) => matrix(level))}</TileMatrixSet>
</Contents>
<ServiceMetadataURL xlink:href="${here}"/>
</Capabilities>
`.text

export function wmtsRoutes(app: FastifyInstance, { scopeOf, files, ask }: WmtsOptions): void {
  const describe = async (caller: Caller, request: FastifyRequest, reply: FastifyReply) => {
    const scope = scopeOf(request)
    if (!scope.has(findCollection('plan')!)) throw new Refusal('not_found')
    const layers = await ask<Layer>(caller, layersStatement(scope))
    return reply
      .headers({ 'cache-control': 'private, no-cache', vary: 'authorization' })
      .type('application/xml; charset=utf-8')
      .send(capabilities(`${scope.base}${WMTS_PATH}`, files, layers))
  }
  app.get(WMTS_PATH, forNutzer(describe, OF_PLANS))
}
