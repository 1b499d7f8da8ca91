// Reads what a WMTS says of itself (capabilities, version 1.0.0): the grid of a layer in the wanted coordinate
// system, and the address of its tiles.
import type { BaseMapLevel, BaseMapRaster, BaseMapTile } from '#contract/base-map.ts'
import type { XmlTree } from '#domain/xml-tree.ts'
import { parseXml } from '#server/parse-xml.ts'

/** Completes "Kartendienst „…“: " for the operator. */
export class WmtsFault extends Error {
  override readonly name = 'WmtsFault'
}
const fault = (message: string): never => {
  throw new WmtsFault(message)
}

export const WMTS_SYSTEMS = [3857, 25_832, 25_833] as const
export type WmtsSystem = (typeof WMTS_SYSTEMS)[number]

export interface WmtsWanted {
  readonly layer: string
  readonly system: WmtsSystem
  /** Null: of several sets in that system the one with the finest level. */
  readonly matrixSet: string | null
  /** Null: the default one. */
  readonly style: string | null
  readonly format: string | null
}
export interface WmtsLayer {
  /** Null for the usual grid of web mercator, whose levels are numbered as everywhere. */
  readonly raster: BaseMapRaster | null
  readonly min: number
  readonly max: number
  readonly adresse: (tile: BaseMapTile) => URL
}

/** Metres per pixel at a scale of one to one, as the standard defines it. */
const PIXEL_M = 0.000_28
const LEVELS = 40
const TILE_EDGE = { least: 64, most: 1024 }
const MOST_TILES = 2 ** 30
const HALF = 20_037_508.342789244
const FORMAT = /^image\/(?:png|jpeg|webp)/
/** What a grid of Germany covers at least in part: [west, south, east, north]. */
const GERMANY: Readonly<Record<WmtsSystem, readonly [number, number, number, number]>> = {
  3857: [650_000, 5_980_000, 1_680_000, 7_370_000],
  25832: [280_000, 5_230_000, 930_000, 6_110_000],
  25833: [-140_000, 5_230_000, 510_000, 6_120_000],
}
const ALIASES: Readonly<Record<string, number>> = { '900913': 3857, '102100': 3857, '3785': 3857 }

const all = (tree: XmlTree | undefined, name: string): XmlTree[] =>
  tree?.children.filter((child) => child.name === name) ?? []
const textOf = (tree: XmlTree | undefined, name: string): string => all(tree, name)[0]?.text.trim() ?? ''
const systemOf = (text: string): number => {
  const code = /(\d+)\s*$/.exec(text)?.[1] ?? ''
  return ALIASES[code] ?? Number(code)
}

/** @param asked address of the capabilities: tiles come from the same machine */
export function readCapabilities(xml: string, wanted: WmtsWanted, asked: URL): WmtsLayer {
  const root = treeOf(xml)
  if (root.name !== 'Capabilities') fault('Die Antwort ist keine Beschreibung eines WMTS (Capabilities)')
  const contents = all(root, 'Contents')[0]
  const layer = all(contents, 'Layer').find((one) => textOf(one, 'Identifier') === wanted.layer)
  if (layer === undefined)
    return fault(
      `Der Dienst hat keinen Layer „${wanted.layer}“, sondern ${listed(
        all(contents, 'Layer').map((one) => textOf(one, 'Identifier')),
      )}`,
    )
  const { set, levels } = chosenSet(contents, layer, wanted)
  const address = addressOf(root, layer, { wanted, set, asked })
  const usual = wanted.system === 3857 ? usualLevels(levels) : null
  if (usual !== null)
    return {
      raster: null,
      min: usual[0]!.z,
      max: usual.at(-1)!.z,
      adresse: ({ z, x, y }) => address(levels[z - usual[0]!.z]!.id, x, y),
    }
  return {
    raster: { projektion: wanted.system, ebenen: levels.map(({ id: _id, ...level }) => level) },
    min: 0,
    max: levels.length - 1,
    adresse: ({ z, x, y }) => address(levels[z]!.id, x, y),
  }
}

function treeOf(xml: string): XmlTree {
  try {
    return parseXml(xml)
  } catch {
    return fault('Die Beschreibung (Capabilities) ist kein lesbares XML')
  }
}
const listed = (names: readonly string[]): string =>
  names.length === 0
    ? 'gar keinen'
    : names
        .slice(0, 12)
        .map((name) => `„${name}“`)
        .join(', ')

interface Level extends BaseMapLevel {
  readonly id: string
}

function chosenSet(contents: XmlTree | undefined, layer: XmlTree, { system, matrixSet }: WmtsWanted) {
  const linked = all(layer, 'TileMatrixSetLink').map((link) => textOf(link, 'TileMatrixSet'))
  const sets = all(contents, 'TileMatrixSet').filter((set) => linked.includes(textOf(set, 'Identifier')))
  const inSystem = sets.filter((set) => systemOf(textOf(set, 'SupportedCRS')) === system)
  const named = (set: XmlTree): string => textOf(set, 'Identifier')
  const possible = matrixSet === null ? inSystem : inSystem.filter((set) => named(set) === matrixSet)
  if (possible.length === 0)
    return fault(
      matrixSet === null
        ? `Der Layer hat keinen Matrixsatz in EPSG:${system}, sondern ${listed(sets.map(named))}`
        : `Der Layer hat keinen Matrixsatz „${matrixSet}“ in EPSG:${system}, sondern ${listed(inSystem.map(named))}`,
    )
  const read = possible.map((set) => ({ set: named(set), levels: levelsOf(set, system) }))
  const finest = (one: (typeof read)[number]): number => one.levels.at(-1)!.aufloesung
  return read.toSorted((a, b) => finest(a) - finest(b))[0]!
}

/** From the coarsest to the finest. */
function levelsOf(set: XmlTree, system: WmtsSystem): Level[] {
  const matrices = all(set, 'TileMatrix')
  if (matrices.length === 0 || matrices.length > LEVELS)
    return fault(`Der Matrixsatz hat ${matrices.length} Ebenen; gelesen werden 1 bis ${LEVELS}`)
  const levels = matrices.map(levelOf).toSorted((a, b) => b.aufloesung - a.aufloesung)
  if (levels.some(({ aufloesung }, at) => at > 0 && aufloesung === levels[at - 1]!.aufloesung))
    fault('Der Matrixsatz hat zwei Ebenen des gleichen Maßstabs')
  // The standard takes the corner in the order of the coordinate system; some services turn it round.
  if (levels.every((level) => meetsGermany(level, system))) return levels
  const turned = levels.map((level) => ({
    ...level,
    ursprung: [level.ursprung[1], level.ursprung[0]] as [number, number],
  }))
  return turned.every((level) => meetsGermany(level, system))
    ? turned
    : fault(
        'Der Matrixsatz liegt nicht über Deutschland: TopLeftCorner ist falsch oder in einem anderen System',
      )
}

function levelOf(matrix: XmlTree): Level {
  const id = textOf(matrix, 'Identifier')
  const number = (name: string, least: number, most: number): number => {
    const value = Number(textOf(matrix, name) || 'x')
    return value >= least && value <= most ? value : fault(`Ebene „${id}“: ${name} fehlt oder ist unmöglich`)
  }
  const whole = (name: string, least: number, most: number): number => {
    const value = number(name, least, most)
    return Number.isInteger(value) ? value : fault(`Ebene „${id}“: ${name} ist keine ganze Zahl`)
  }
  const corner = textOf(matrix, 'TopLeftCorner').split(/\s+/).map(Number)
  if (id === '' || corner.length !== 2 || !corner.every((value) => Math.abs(value) < 1e9))
    fault(`Ebene „${id}“: Identifier oder TopLeftCorner fehlt`)
  return {
    id,
    aufloesung: number('ScaleDenominator', 1, 1e10) * PIXEL_M,
    ursprung: [corner[0]!, corner[1]!],
    kachel: [
      whole('TileWidth', TILE_EDGE.least, TILE_EDGE.most),
      whole('TileHeight', TILE_EDGE.least, TILE_EDGE.most),
    ],
    zahl: [whole('MatrixWidth', 1, MOST_TILES), whole('MatrixHeight', 1, MOST_TILES)],
  }
}

function meetsGermany({ aufloesung, ursprung, kachel, zahl }: Level, system: WmtsSystem): boolean {
  const [west, south, east, north] = GERMANY[system]
  const [left, top] = ursprung
  const right = left + aufloesung * kachel[0] * zahl[0]
  const bottom = top - aufloesung * kachel[1] * zahl[1]
  return left < east && right > west && bottom < north && top > south
}

/** The numbers of levels where these are the usual grid of web mercator; null otherwise. */
function usualLevels(levels: readonly Level[]): { readonly z: number }[] | null {
  const numbered = levels.map(({ aufloesung, ursprung: [x, y], kachel }) => {
    // Without the sign of a zero.
    const z = Math.round(Math.log2((2 * HALF) / 256 / aufloesung)) || 0
    const usual = (2 * HALF) / 256 / 2 ** z
    const isUsual =
      kachel[0] === 256 &&
      kachel[1] === 256 &&
      z >= 0 &&
      z <= 22 &&
      // Less than a tenth of a pixel at the far end of the map.
      Math.abs(aufloesung / usual - 1) * 256 * 2 ** z < 0.1 &&
      Math.hypot(x + HALF, y - HALF) < usual / 10
    return isUsual ? { z } : null
  })
  const good = numbered.filter((one) => one !== null)
  return good.length === levels.length && good.every(({ z }, at) => z === good[0]!.z + at) ? good : null
}

interface Addressed {
  readonly wanted: WmtsWanted
  readonly set: string
  readonly asked: URL
}
type TileAddress = (matrix: string, x: number, y: number) => URL

function addressOf(root: XmlTree, layer: XmlTree, { wanted, set, asked }: Addressed): TileAddress {
  const styles = all(layer, 'Style')
  const names = styles.map((one) => textOf(one, 'Identifier'))
  const standard = styles.find((one) => one.attributes['isDefault'] === 'true') ?? styles[0]
  const style = wanted.style ?? textOf(standard, 'Identifier')
  if (wanted.style !== null && !names.includes(wanted.style))
    fault(`Der Layer hat keinen Stil „${wanted.style}“, sondern ${listed(names)}`)
  const formats = all(layer, 'Format').map(({ text }) => text.trim())
  const format = formats.find((one) => (wanted.format === null ? FORMAT.test(one) : one === wanted.format))
  if (format === undefined)
    return fault(`Der Layer hat kein Bildformat, das gezeigt werden kann, sondern ${listed(formats)}`)
  const template = all(layer, 'ResourceURL').find(
    ({ attributes }) => attributes['resourceType'] === 'tile' && attributes['format'] === format,
  )?.attributes['template']
  const fixed = { TileMatrixSet: set, Style: style, Layer: wanted.layer, ...dimensionsOf(layer) }
  return template === undefined
    ? byQuery(sameHost(queryAddress(root) ?? asked.href, asked), { ...fixed, format })
    : byTemplate(template, fixed, asked)
}

/** Dimensions have defaults, such as the newest date. */
const dimensionsOf = (layer: XmlTree): Record<string, string> =>
  Object.fromEntries(
    all(layer, 'Dimension').map((one) => [textOf(one, 'Identifier'), textOf(one, 'Default')]),
  )

function byTemplate(template: string, fixed: Readonly<Record<string, string>>, asked: URL): TileAddress {
  // Names are written in upper or lower case.
  const values = new Map(Object.entries(fixed).map(([name, value]) => [name.toLowerCase(), value]))
  const fill = (numbers: ReadonlyMap<string, string>) =>
    template.replaceAll(/\{([^{}]+)\}/g, (_, name: string) => {
      const key = name.toLowerCase()
      const value = numbers.get(key) ?? values.get(key)
      return value === undefined
        ? fault(`Die Adresse der Kacheln braucht einen Wert für {${name}}`)
        : encodeURIComponent(value)
    })
  const make: TileAddress = (matrix, x, y) =>
    sameHost(
      fill(
        new Map([
          ['tilematrix', matrix],
          ['tilecol', String(x)],
          ['tilerow', String(y)],
        ]),
      ),
      asked,
    )
  make('0', 0, 0)
  return make
}

/** Where tiles are asked for by a query, if the service says so. */
function queryAddress(root: XmlTree): string | undefined {
  const operation = all(all(root, 'OperationsMetadata')[0], 'Operation').find(
    ({ attributes }) => attributes['name'] === 'GetTile',
  )
  const http = all(all(operation, 'DCP')[0], 'HTTP')[0]
  const gets = all(http, 'Get')
  const isQuery = (get: XmlTree): boolean => {
    const allowed = all(get, 'Constraint').flatMap((one) => all(all(one, 'AllowedValues')[0], 'Value'))
    return allowed.length === 0 || allowed.some(({ text }) => text.trim() === 'KVP')
  }
  return gets.find(isQuery)?.attributes['href']
}

function byQuery(base: URL, { format, ...fixed }: Readonly<Record<string, string>>): TileAddress {
  const given: Record<string, string> = { FORMAT: format ?? '' }
  for (const [name, value] of Object.entries(fixed)) given[name.toUpperCase()] = value
  return (matrix, x, y) => {
    const address = new URL(base)
    const query = {
      ...given,
      SERVICE: 'WMTS',
      REQUEST: 'GetTile',
      VERSION: '1.0.0',
      TILEMATRIX: matrix,
      TILEROW: String(y),
      TILECOL: String(x),
    }
    // Not while they are gone through.
    const written = [...address.searchParams.keys()]
    for (const key of written) if (key.toUpperCase() in query) address.searchParams.delete(key)
    for (const [key, value] of Object.entries(query)) address.searchParams.set(key, value)
    return address
  }
}

/** Only the machine that the operator named is ever asked; behind a proxy, services write http for https. */
function sameHost(text: string, asked: URL): URL {
  const address = URL.canParse(text, asked.href)
    ? new URL(text, asked.href)
    : fault('Die Adresse der Kacheln ist keine')
  if (address.hostname !== asked.hostname)
    fault(`Die Kacheln liegen auf einem anderen Rechner (${address.hostname}) als die Beschreibung`)
  if (asked.protocol === 'https:' && address.protocol === 'http:') {
    address.protocol = 'https:'
    address.port = asked.port
  }
  if (address.protocol !== asked.protocol || address.port !== asked.port || address.username !== '')
    fault(`Die Kacheln liegen unter ${address.origin}, die Beschreibung unter ${asked.origin}`)
  return address
}
