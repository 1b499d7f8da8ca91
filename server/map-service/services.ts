// The operator's list of base maps: read and checked at the start. Only these services are ever requested,
// and only with our own numbers filled in.
import { existsSync, readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import type { BaseMap, BaseMapTile } from '#contract/base-map.ts'
import { ROLES } from '#domain/roles.ts'
import { type Kind, SettingFault } from '#server/setting-kinds.ts'
import { isPrivate } from '#server/private-address.ts'
import { WMTS_SYSTEMS, type WmtsWanted } from './wmts.ts'

export interface MapService extends BaseMap {
  /** Roles that see it; if empty, everybody who is signed in. */
  readonly rollen: readonly string[]
  /** In the operator's own network: plain http and private addresses are allowed. */
  readonly intern: boolean
  /** Described by the capabilities of its service, which are read later; null for all others. */
  readonly wmts: (WmtsWanted & { readonly address: URL }) | null
  /** The address of a tile. */
  readonly adresse: (tile: BaseMapTile) => URL
}

type Entry = Readonly<Record<string, unknown>>

const KEYS = {
  alle: [
    'id',
    'titel',
    'typ',
    'url',
    'art',
    'namensnennung',
    'min',
    'max',
    'laender',
    'rollen',
    'intern',
    'mitnehmen',
    'projektion',
  ],
  xyz: [],
  wmts: ['ebenenziffern', 'capabilities', 'layer', 'matrixsatz', 'stil', 'format'],
  wms: ['layer', 'stil', 'format', 'version', 'transparent'],
} as const
type Type = 'xyz' | 'wmts' | 'wms'
const FORMATS = ['image/png', 'image/jpeg', 'image/webp']
const MOST = 100
const LEVELS = 22

const fault = (message: string): never => {
  throw new SettingFault(message)
}

/** JSON, or the path of a file that contains it. */
export const mapServices: Kind<readonly MapService[]> = (text) => {
  const json = text.startsWith('[') ? text : readList(text)
  let list: unknown
  try {
    list = JSON.parse(json)
  } catch {
    fault('ist kein JSON')
  }
  if (!Array.isArray(list) || list.length > MOST)
    return fault(`muss eine Liste von höchstens ${MOST} Einträgen sein`)
  const read = list.map((entry, at) => readEntry(entry, `Eintrag ${at + 1}`))
  for (const { id } of read)
    if (read.filter((one) => one.id === id).length > 1) fault(`nennt die id „${id}“ zweimal`)
  return Object.freeze(read)
}

function readList(path: string): string {
  if (!existsSync(path))
    return fault(`muss eine Liste in JSON oder der Pfad einer Datei sein; „${path}“ gibt es nicht`)
  return readFileSync(path, 'utf8')
}

function readEntry(entry: unknown, place: string): MapService {
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry))
    return fault(`${place} ist kein Objekt`)
  const given = entry as Entry
  const where = typeof given['id'] === 'string' ? `${place} („${given['id']}“)` : place
  const line = (key: string, most: number): string => {
    const value = given[key]
    const good =
      typeof value === 'string' && value.trim() !== '' && value.length <= most && !/\p{Cc}/u.test(value)
    return good ? value.trim() : fault(`${where}: ${key} fehlt oder ist kein Text bis ${most} Zeichen`)
  }
  const id = line('id', 40)
  if (!/^[a-z0-9][a-z0-9_-]*$/.test(id)) fault(`${where}: id darf nur a–z, 0–9, _ und - enthalten`)
  const kind = oneOf<Type>(given['typ'], ['xyz', 'wmts', 'wms'], where, 'typ')
  for (const key of Object.keys(given))
    if (!([...KEYS.alle, ...KEYS[kind]] as string[]).includes(key))
      fault(`${where}: „${key}“ ist für ${kind} nicht bekannt`)
  const wmts = kind === 'wmts' && given['capabilities'] !== undefined ? wmtsOf(given, where) : null
  // The grid of another system is only known from a WMTS that describes it.
  if (wmts === null && (given['projektion'] ?? 'EPSG:3857') !== 'EPSG:3857')
    fault(`${where}: projektion muss EPSG:3857 sein; andere gelten für wmts mit capabilities`)
  const level = (key: 'min' | 'max', otherwise: number): number => {
    const value = given[key] ?? otherwise
    return Number.isInteger(value) && (value as number) >= 0 && (value as number) <= LEVELS
      ? (value as number)
      : fault(`${where}: ${key} muss eine ganze Zahl von 0 bis ${LEVELS} sein`)
  }
  const [min, max] = [level('min', 0), level('max', 18)]
  if (min > max) fault(`${where}: min ist größer als max`)
  const intern = flag(given['intern'], where, 'intern')
  const roles = texts(given['rollen'], where, 'rollen')
  for (const role of roles)
    if (!(ROLES as readonly string[]).includes(role)) fault(`${where}: „${role}“ ist keine Rolle`)
  const make = { xyz: templateOf, wmts: templateOf, wms: wmsOf }[kind]
  const address = wmts === null ? make(given, line('url', 2000), where) : unread
  checkHost(wmts?.address ?? address({ z: max, x: 0, y: 0 }), intern, where)
  return {
    id,
    titel: line('titel', 100),
    art: oneOf(given['art'] ?? 'karte', ['karte', 'luftbild'], where, 'art'),
    // No licence allows showing the map without it.
    namensnennung: line('namensnennung', 300),
    min,
    max,
    laender: texts(given['laender'], where, 'laender'),
    // Not every licence allows storing tiles: the operator has to say so.
    mitnehmen: flag(given['mitnehmen'], where, 'mitnehmen'),
    rollen: roles,
    intern,
    wmts,
    adresse: address,
  }
}

const unread = (): never => {
  throw new Error('the capabilities of this service are not read yet')
}

function wmtsOf(given: Entry, where: string): NonNullable<MapService['wmts']> {
  for (const key of ['url', 'ebenenziffern'])
    if (given[key] !== undefined) fault(`${where}: „${key}“ steht schon in den capabilities`)
  const text = (key: string): string | null => {
    const value = given[key]
    if (value === undefined) return null
    return typeof value === 'string' && value !== '' && value.length <= 300
      ? value
      : fault(`${where}: ${key} muss ein Text bis 300 Zeichen sein`)
  }
  const capabilities = given['capabilities']
  if (typeof capabilities !== 'string' || capabilities.length > 2000)
    return fault(`${where}: capabilities ist keine Adresse`)
  const projection = given['projektion'] ?? 'EPSG:3857'
  const system = WMTS_SYSTEMS.find((code) => projection === `EPSG:${code}`)
  if (system === undefined)
    return fault(
      `${where}: projektion muss ${WMTS_SYSTEMS.map((code) => `EPSG:${code}`).join(' oder ')} sein`,
    )
  if (system !== 3857 && given['mitnehmen'] === true)
    fault(`${where}: mitnehmen gilt nur mit EPSG:3857: Geräte speichern Kacheln in Web-Mercator`)
  return {
    address: parsed(capabilities, where),
    layer: text('layer') ?? fault(`${where}: layer fehlt`),
    system,
    matrixSet: text('matrixsatz'),
    style: text('stil'),
    format: text('format') === null ? null : oneOf(given['format'], FORMATS, where, 'format'),
  }
}

function oneOf<T extends string>(value: unknown, words: readonly T[], where: string, key: string): T {
  return words.find((word) => word === value) ?? fault(`${where}: ${key} muss ${words.join(' oder ')} sein`)
}
function flag(value: unknown, where: string, key: string): boolean {
  if (value === undefined) return false
  return typeof value === 'boolean' ? value : fault(`${where}: ${key} muss true oder false sein`)
}
function texts(value: unknown, where: string, key: string): readonly string[] {
  if (value === undefined) return []
  const good =
    Array.isArray(value) &&
    value.length <= 20 &&
    value.every((one) => typeof one === 'string' && one.length <= 40)
  return good ? (value as string[]) : fault(`${where}: ${key} muss eine Liste von Texten sein`)
}

const PLACES = /\{(z|x|y|-y|TileMatrix|TileRow|TileCol)\}/g

/**
 * Addresses with placeholders for a tile's numbers: {z} {x} {y}, {-y} counted from
 * below, or the names of WMTS.
 */
function templateOf(given: Entry, url: string, where: string): MapService['adresse'] {
  const named = new Set([...url.matchAll(PLACES)].map(([, name]) => name))
  const has = (...names: string[]) => names.some((name) => named.has(name))
  if (!has('z', 'TileMatrix') || !has('x', 'TileCol') || !has('y', '-y', 'TileRow'))
    fault(
      `${where}: url braucht Stellen für z, x und y, zum Beispiel {z}/{x}/{y} oder {TileMatrix}/{TileRow}/{TileCol}`,
    )
  const digits = given['ebenenziffern'] ?? 1
  if (digits !== 1 && digits !== 2) fault(`${where}: ebenenziffern muss 1 oder 2 sein`)
  const start = url.search(PLACES)
  if (start < (/^https?:\/\/[^/]+\//.exec(url)?.[0].length ?? Number.POSITIVE_INFINITY))
    fault(`${where}: url muss mit https://rechner/ beginnen und die Stellen danach haben`)
  return ({ z, x, y }) => {
    const level = String(z).padStart(digits as number, '0')
    const values: Readonly<Record<string, string>> = {
      z: level,
      TileMatrix: level,
      x: String(x),
      TileCol: String(x),
      y: String(y),
      TileRow: String(y),
      '-y': String(2 ** z - 1 - y),
    }
    return parsed(
      url.replace(PLACES, (_, name: string) => values[name]!),
      where,
    )
  }
}

/** Half the width of the web mercator square. */
const HALF = 20_037_508.342789244

function wmsOf(given: Entry, url: string, where: string): MapService['adresse'] {
  const layer = given['layer']
  if (typeof layer !== 'string' || layer === '' || layer.length > 300) fault(`${where}: layer fehlt`)
  const version = oneOf(given['version'] ?? '1.3.0', ['1.1.1', '1.3.0'], where, 'version')
  const format = oneOf(given['format'] ?? 'image/jpeg', FORMATS, where, 'format')
  const style = given['stil'] ?? ''
  if (typeof style !== 'string') fault(`${where}: stil muss ein Text sein`)
  const transparent = flag(given['transparent'], where, 'transparent')
  return ({ z, x, y }) => {
    const address = parsed(url, where)
    const width = (2 * HALF) / 2 ** z
    const [west, north] = [x * width - HALF, HALF - y * width]
    const query = {
      SERVICE: 'WMS',
      REQUEST: 'GetMap',
      VERSION: version,
      LAYERS: layer as string,
      STYLES: style as string,
      [version === '1.3.0' ? 'CRS' : 'SRS']: 'EPSG:3857',
      BBOX: [west, north - width, west + width, north].join(','),
      WIDTH: '256',
      HEIGHT: '256',
      FORMAT: format,
      ...(transparent && { TRANSPARENT: 'TRUE' }),
    }
    for (const [key, value] of Object.entries(query)) address.searchParams.set(key, value)
    return address
  }
}

const parsed = (url: string, where: string): URL =>
  URL.canParse(url) ? new URL(url) : fault(`${where}: url ist keine vollständige Adresse`)

function checkHost({ protocol, hostname, username, password }: URL, intern: boolean, where: string): void {
  if (protocol !== 'https:' && !(intern && protocol === 'http:'))
    fault(`${where}: url muss mit https:// beginnen; http:// gilt nur mit "intern": true`)
  if (username !== '' || password !== '') fault(`${where}: url darf keinen Nutzer und kein Passwort nennen`)
  const address = hostname.replace(/^\[|\]$/g, '')
  if (!intern && (isIP(address) === 0 ? /^(?:localhost|.*\.localhost)$/i.test(address) : isPrivate(address)))
    fault(`${where}: ${hostname} ist eine Adresse im eigenen Netz; dafür braucht der Eintrag "intern": true`)
}
