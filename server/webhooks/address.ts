// Where a webhook may be sent: over TLS, and not into our own network, unless the operator allows both.
import { isIP } from 'node:net'
import { publicLookup } from '#server/name-lookup.ts'
import { isPrivate } from '#server/private-address.ts'
import { SendFault } from './send-fault.ts'

/** What is wrong with an address as people enter it, in German; null: nothing. */
export function addressFault(text: unknown, allowsPrivate: boolean): string | null {
  if (
    typeof text !== 'string' ||
    text.length > 1_000 ||
    !URL.canParse(text) ||
    !/^https?:\/\/[^/]/i.test(text)
  )
    return 'Bitte geben Sie eine vollständige Adresse an, zum Beispiel https://programm.example/forstkontor.'
  const url = new URL(text)
  if (url.username !== '' || url.password !== '')
    return 'Bitte ohne Name und Passwort in der Adresse. Das Programm erkennt uns an der Signatur.'
  if (url.hash !== '') return 'Bitte ohne den Teil nach „#“: Er wird nicht übertragen.'
  if (allowsPrivate) return null
  if (url.protocol !== 'https:') return 'Bitte eine Adresse mit https://, damit niemand mitliest.'
  if (isOwnNetwork(url.hostname))
    return 'Diese Adresse gehört zu einem eigenen Netz. Bitte geben Sie eine an, die aus dem Internet erreichbar ist.'
  return null
}

const bare = (hostname: string): string => hostname.replace(/^\[|\]$/g, '')
/** By the name alone; what it resolves to is checked with each connection. */
const isOwnNetwork = (hostname: string): boolean => {
  const name = bare(hostname).replace(/\.$/, '')
  if (isIP(name) !== 0) return isPrivate(name)
  return name === 'localhost' || name.endsWith('.localhost') || !name.includes('.')
}

/** @throws SendFault if the address may not be called; a name is checked by `publicOnly` when it is resolved. */
export function checkAddress(url: URL, allowsPrivate: boolean): void {
  if (allowsPrivate) return
  if (url.protocol !== 'https:') throw new SendFault('unverschluesselt')
  const host = bare(url.hostname)
  // Node looks up no name for an address in figures.
  if (isIP(host) !== 0 && isPrivate(host)) throw new SendFault('eigenes_netz')
}

export const publicOnly = publicLookup({ refuse: () => new SendFault('eigenes_netz') })
