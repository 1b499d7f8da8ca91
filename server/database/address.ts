// The address of PostgreSQL as libpq writes it: several hosts after one another, of which one takes changes.

/** Says what is wrong with an address; the text completes "DATABASE_URL …". */
export class AddressFault extends Error {}

/** libpq's words for a server that takes changes; the others would have the product read only. */
const WRITABLE = ['read-write', 'primary']
const WHICH = 'target_session_attrs'
const PARTS = /^(postgres(?:ql)?:\/\/)(?:([^/?#]*)@)?([^/?#@]*)(\/[^?#]*)?(\?[^#]*)?$/i
export const EXAMPLE = 'postgres://nutzer:passwort@rechner:5432/datenbank'

export interface Address {
  /** One address for each host, in the order given. */
  readonly urls: readonly string[]
  /** The server in use must take changes: with several hosts always, with one if the address says so. */
  readonly writable: boolean
}

/** @throws AddressFault */
export function parseAddress(text: string): Address {
  const parts = PARTS.exec(text)
  if (parts === null) throw new AddressFault('muss mit postgres:// beginnen')
  const [, scheme = '', login, hosts = '', path = '', query = ''] = parts
  const values = new URLSearchParams(query)
  const which = values.get(WHICH)
  values.delete(WHICH)
  const rest = `${path}${values.size > 0 ? `?${values.toString()}` : ''}`
  const urls = hosts
    .split(',')
    .map((host) => checked(`${scheme}${login === undefined ? '' : `${login}@`}${host}${rest}`, host))
  if (which !== null && !WRITABLE.includes(which) && !(which === 'any' && urls.length === 1))
    throw new AddressFault(
      `nennt ${WHICH}=${which}: der Server muss Änderungen annehmen (${WRITABLE.join(' oder ')})`,
    )
  return { urls, writable: urls.length > 1 || (which !== null && which !== 'any') }
}

function checked(url: string, host: string): string {
  if (host === '' || !URL.canParse(url)) throw new AddressFault(`nennt keinen Rechner: ${EXAMPLE}`)
  if (new URL(url).pathname.length < 2) throw new AddressFault(`nennt keine Datenbank: ${EXAMPLE}`)
  return url
}

/** Hosts and database, without login and password. */
export function placeOf(text: string): string {
  const urls = parseAddress(text).urls.map((url) => new URL(url))
  return `${urls.map(({ host }) => host).join(',')}${urls[0]?.pathname ?? ''}`
}

export const userOf = (text: string): string => decodeURIComponent(firstOf(text).username)

export const databaseOf = (text: string): string => firstOf(text).pathname.slice(1)

const firstOf = (text: string): URL => new URL(parseAddress(text).urls[0] ?? '')

/** The same servers and login, another database. */
export const withDatabase = (text: string, name: string): string =>
  text.replace(PARTS, (_, scheme: string, login: string | undefined, hosts: string, _path, query = '') =>
    [scheme, login === undefined ? '' : `${login}@`, hosts, `/${name}`, query].join(''),
  )

/** The same servers with another login. */
export function withLogin(text: string, user: string, password: string): string {
  const login = [user, password].map(encodeURIComponent).join(':')
  return text.replace(PARTS, (_, scheme: string, _login, hosts: string, path = '', query = '') =>
    [scheme, login, '@', hosts, path, query].join(''),
  )
}
