// Where the marks of storage-mark.ts are kept beside the database: in localStorage, and in a cookie. A
// browser that empties its storages takes localStorage with the databases, but no cookies; the server sets
// this one again at each start (server/browser-config.ts), because Safari forgets after seven days what a
// script has set.
import { FIELD_COOKIE } from '#domain/constants.ts'
import type { Beside } from './storage-mark.ts'

/** Longer ones would be refused, with all requests that carry them. */
const MOST_CHARACTERS = 2000

/** `jar`: the document. */
export function besideAnd(local: Beside, jar: Pick<Document, 'cookie'>, secure: boolean): Beside {
  const read = (): Record<string, string> => {
    const [, text] = new RegExp(`(?:^|;\\s*)${FIELD_COOKIE}=([^;]*)`).exec(jar.cookie) ?? []
    try {
      const value: unknown = JSON.parse(decodeURIComponent(text ?? '%7B%7D'))
      const entries = Object.entries((value ?? {}) as object)
      return Object.fromEntries(entries.filter(([, one]) => typeof one === 'string')) as Record<
        string,
        string
      >
    } catch {
      return {}
    }
  }
  const write = (values: Record<string, string>) => {
    const text = encodeURIComponent(JSON.stringify(values))
    if (text.length <= MOST_CHARACTERS)
      jar.cookie = `${FIELD_COOKIE}=${text}; path=/; max-age=31536000; samesite=strict${secure ? '; secure' : ''}`
  }
  return {
    getItem: (key) => local.getItem(key) ?? read()[key] ?? null,
    setItem: (key, value) => {
      local.setItem(key, value)
      write({ ...read(), [key]: value })
    },
    removeItem: (key) => {
      local.removeItem(key)
      const { [key]: _gone, ...others } = read()
      write(others)
    },
  }
}

export const besideHere = (): Beside => besideAnd(localStorage, document, location.protocol === 'https:')
