// The language of the sign-in pages: what was chosen on one of them, else what the browser asks for.

export type Language = 'de' | 'en'
export const LANGUAGE_COOKIE = 'sprache'
/** As a query parameter and in the cookie. */
const asLanguage = (text: unknown): Language | null => (text === 'de' || text === 'en' ? text : null)

/** Parts of a request that say which language is wanted. */
export interface Asking {
  readonly url?: string | undefined
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
}

/** The choice in the address, if there is one. */
export const chosenLanguage = ({ url = '' }: Asking): Language | null =>
  asLanguage(new URLSearchParams(url.split('?')[1] ?? '').get('sprache'))

function keptLanguage({ headers }: Asking): Language | null {
  const found = new RegExp(`(?:^|;\\s*)${LANGUAGE_COOKIE}=(\\w+)`).exec(String(headers['cookie'] ?? ''))
  return asLanguage(found?.[1])
}

/** German unless the browser prefers another language: who reads neither is served better in English. */
function browserLanguage({ headers }: Asking): Language {
  const tags = String(headers['accept-language'] ?? '')
    .slice(0, 300)
    .split(',')
    .map((part) => /^\s*([a-z]{2,3})\b[^;]*(?:;\s*q=([\d.]+))?/i.exec(part))
    .flatMap((found) =>
      found === null ? [] : [{ tag: found[1]!.toLowerCase(), weight: Number(found[2] ?? 1) }],
    )
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight)
  if (tags.length === 0) return 'de'
  return asLanguage(tags.find(({ tag }) => tag === 'de' || tag === 'en')?.tag) ?? 'en'
}

export const languageOf = (asking: Asking): Language =>
  chosenLanguage(asking) ?? keptLanguage(asking) ?? browserLanguage(asking)

/** For a year, for all pages of this address. */
export const languageCookie = (language: Language): string =>
  `${LANGUAGE_COOKIE}=${language}; Path=/; Max-Age=31536000; SameSite=Lax`
