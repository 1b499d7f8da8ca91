// A WMTS for tests: capabilities with several matrix sets, and tiles that show marks where they are on the
// ground. Beside it the same marks as plain tiles of web mercator.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import proj4 from 'proj4'
import sharp from 'sharp'
import { createConverter, type Place, type Projector } from '#domain/projection.ts'

export interface MatrixSet {
  readonly id: string
  readonly epsg: number
  /** As written in TopLeftCorner. */
  readonly corner: readonly [number, number]
  /** Metres per pixel, in the order of the document. */
  readonly resolutions: readonly number[]
  readonly edge?: number
  /** Tiles of the coarsest level in each direction. */
  readonly across?: number
}
export const UTM32: MatrixSet = {
  id: 'DE_EPSG_25832_ADV',
  epsg: 25_832,
  corner: [-46_133.17, 6_301_219.54],
  resolutions: Array.from({ length: 14 }, (_, at) => 4_891.969_810_252 / 2 ** at),
}
export const UTM33: MatrixSet = {
  ...UTM32,
  id: 'DE_EPSG_25833_ADV',
  epsg: 25_833,
  corner: [-464_849.38, 6_310_160.14],
}
export const MERCATOR: MatrixSet = {
  id: 'GLOBAL_WEBMERCATOR',
  epsg: 3857,
  corner: [-20_037_508.342789244, 20_037_508.342789244],
  resolutions: Array.from({ length: 19 }, (_, at) => 156_543.033_928_041 / 2 ** at),
  across: 1,
}

export interface CapabilitiesOptions {
  readonly sets: readonly MatrixSet[]
  /** Of the tiles; without one, tiles are asked for by a query. */
  readonly template?: string
  /** Where tiles are asked for by a query. */
  readonly query?: string
  readonly crs?: (epsg: number) => string
  readonly formats?: readonly string[]
  /** Into the layer. */
  readonly more?: string
}

export const levelId = (at: number): string => String(at).padStart(2, '0')

export function capabilities(options: CapabilitiesOptions): string {
  const { sets, template, query, formats = ['image/png'], more = '' } = options
  const crs = options.crs ?? ((epsg: number) => `urn:ogc:def:crs:EPSG::${epsg}`)
  const matrix = ({ resolutions, corner, edge = 256, across = 3 }: MatrixSet) =>
    resolutions.map(
      (resolution, at) => `<TileMatrix><ows:Identifier>${levelId(at)}</ows:Identifier>
        <ScaleDenominator>${resolution / 0.000_28}</ScaleDenominator>
        <TopLeftCorner>${corner.join(' ')}</TopLeftCorner>
        <TileWidth>${edge}</TileWidth><TileHeight>${edge}</TileHeight>
        <MatrixWidth>${Math.ceil((across * resolutions[0]!) / resolution)}</MatrixWidth>
        <MatrixHeight>${Math.ceil((across * resolutions[0]!) / resolution)}</MatrixHeight></TileMatrix>`,
    )
  return `<?xml version="1.0" encoding="UTF-8"?>
<Capabilities xmlns="http://www.opengis.net/wmts/1.0" xmlns:ows="http://www.opengis.net/ows/1.1"
  xmlns:xlink="http://www.w3.org/1999/xlink" version="1.0.0">
  <ows:OperationsMetadata><ows:Operation name="GetTile"><ows:DCP><ows:HTTP>
    <ows:Get xlink:href="${query ?? 'https://elsewhere.example/'}"><ows:Constraint name="GetEncoding">
      <ows:AllowedValues><ows:Value>${query === undefined ? 'RESTful' : 'KVP'}</ows:Value></ows:AllowedValues>
    </ows:Constraint></ows:Get></ows:HTTP></ows:DCP></ows:Operation></ows:OperationsMetadata>
  <Contents>
    <Layer><ows:Identifier>other</ows:Identifier></Layer>
    <Layer><ows:Title>Marken</ows:Title><ows:Identifier>marken</ows:Identifier>
      <Style><ows:Identifier>grau</ows:Identifier></Style>
      <Style isDefault="true"><ows:Identifier>farbe</ows:Identifier></Style>
      ${formats.map((format) => `<Format>${format}</Format>`).join('')}
      ${more}
      ${sets.map(({ id }) => `<TileMatrixSetLink><TileMatrixSet>${id}</TileMatrixSet></TileMatrixSetLink>`).join('')}
      ${
        template === undefined
          ? ''
          : formats
              .map((format) => `<ResourceURL format="${format}" resourceType="tile" template="${template}"/>`)
              .join('')
      }
    </Layer>
    ${sets
      .map(
        (set) => `<TileMatrixSet><ows:Identifier>${set.id}</ows:Identifier>
      <ows:SupportedCRS>${crs(set.epsg)}</ows:SupportedCRS>${matrix(set).join('')}</TileMatrixSet>`,
      )
      .join('')}
  </Contents>
</Capabilities>`
}

const converter = createConverter(proj4 as unknown as Projector, null)
/** As nothing else on a map. */
export const MARK = '#ff00c8'
export const PAPER = '#f3ead2'
/** Pixels. */
const RADIUS = 7

/** A tile whose upper left corner and resolution are given, with the marks that touch it. */
async function drawTile(
  corner: Place,
  { resolution, edge, epsg }: { readonly resolution: number; readonly edge: number; readonly epsg: number },
  marks: readonly Place[],
): Promise<Buffer> {
  const convert = converter.conversion(3857, epsg)
  const circles = marks.map((mark) => {
    const [x, y] = convert(mark)
    const [px, py] = [(x - corner[0]) / resolution, (corner[1] - y) / resolution]
    const isNear = [px, py].every((at) => at > -20 && at < edge + 20)
    return isNear ? `<circle cx="${px}" cy="${py}" r="${RADIUS}" fill="${MARK}"/>` : ''
  })
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${edge}" height="${edge}">
    <rect width="${edge}" height="${edge}" fill="${PAPER}"/>${circles.join('')}</svg>`
  return sharp(Buffer.from(svg)).png().toBuffer()
}

export interface WmtsServer {
  readonly origin: string
  /** Paths and queries that were asked for. */
  readonly asked: string[]
  /** Answered under /capabilities.xml. */
  describe(text: string): void
  close(): void
}

/** @param marks in web mercator */
export async function startWmts(
  sets: readonly MatrixSet[],
  marks: () => readonly Place[] = () => [],
): Promise<WmtsServer> {
  const asked: string[] = []
  let description = ''
  async function answer(url: URL, response: ServerResponse): Promise<void> {
    if (url.pathname === '/capabilities.xml') return void response.end(description)
    const parts = url.pathname.split('/').slice(1)
    const query = (name: string) => url.searchParams.get(name) ?? ''
    const [id = '', level = '', row = '', column = ''] = url.searchParams.has('TILEMATRIX')
      ? [query('TILEMATRIXSET'), query('TILEMATRIX'), query('TILEROW'), query('TILECOL')]
      : parts
    const set = sets.find((one) => one.id === id)
    const resolution = set?.resolutions[Number(level)]
    if (set === undefined || resolution === undefined) return void response.writeHead(404).end()
    const { edge = 256, epsg } = set
    // Northings of Germany are larger than eastings, however the corner is written.
    const [east, north] =
      epsg !== 3857 && set.corner[0] > set.corner[1] ? [set.corner[1], set.corner[0]] : set.corner
    const corner: Place = [east + Number(column) * edge * resolution, north - Number(row) * edge * resolution]
    response.setHeader('content-type', 'image/png')
    response.end(await drawTile(corner, { resolution, edge, epsg }, marks()))
  }
  const server: Server = createServer((request: IncomingMessage, response: ServerResponse) => {
    asked.push(request.url ?? '')
    answer(new URL(request.url ?? '', 'http://x'), response).catch(() => response.writeHead(500).end())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    describe: (text) => {
      description = text
    },
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}
