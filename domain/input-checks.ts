// The template's input checks (specification, section 5), pure. They are as strict as the template's; what
// the application accepts as an address is decided in the database.

const EMAIL = new RegExp(
  String.raw`^(([^<>()[\]\\.,;:\s@"]+(\.[^<>()[\]\\.,;:\s@"]+)*)|(".+"))@` +
    String.raw`((\[[0-9]{1,3}\.[0-9]{1,3}\.[0-9]{1,3}\.[0-9]{1,3}\])|(([a-zA-Z\-0-9]+\.)+[a-zA-Z]{2,}))$`,
)
const URL_PATTERN = new RegExp(
  String.raw`^(https?|ftp):\/\/([a-zA-Z0-9.-]+(:[a-zA-Z0-9.&%$-]+)*@)*` +
    String.raw`((25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9][0-9]?)(\.(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])){3}|` +
    String.raw`([a-zA-Z0-9-]+\.)*[a-zA-Z0-9-]+\.` +
    String.raw`(com|edu|gov|int|mil|net|org|biz|arpa|info|name|pro|aero|coop|museum|[a-zA-Z]{2}))` +
    String.raw`(:[0-9]+)*(\/($|[a-zA-Z0-9.,?'\\+&%$#=~_-]+))*$`,
)

export const isTemplateEmail = (text: string): boolean => EMAIL.test(text)
export const isTemplateUrl = (text: string): boolean => URL_PATTERN.test(text)
/** Only the two demo accounts. */
export const isTemplateUsername = (text: string): boolean => ['admin', 'editor'].includes(text.trim())
export const isLowerCase = (text: string): boolean => /^[a-z]+$/.test(text)
export const isUpperCase = (text: string): boolean => /^[A-Z]+$/.test(text)
export const isLetters = (text: string): boolean => /^[A-Za-z]+$/.test(text)
/** Starts with http:, https:, mailto: or tel:, in lower case. */
export const isExternal = (path: string): boolean => /^(?:https?:|mailto:|tel:)/.test(path)

/** The query of a URL as the template reads it: decoded before it is split, so an encoded & splits too. */
export function parseQuery(address: string): Record<string, string> {
  const query = address.split('?')[1]
  if (query === undefined || query === '') return {}
  const entries = decodeURIComponent(query)
    .replaceAll('+', ' ')
    .split('&')
    .flatMap((pair): [string, string][] => {
      const at = pair.indexOf('=')
      return at === -1 ? [] : [[pair.slice(0, at), pair.slice(at + 1)]]
    })
  return Object.fromEntries(entries)
}

/** Value sent for a field left empty. */
export const nullIfEmpty = (text: string): string | null => (text === '' ? null : text)
export const emptyIfMissing = (text: string | null | undefined): string => text ?? ''
