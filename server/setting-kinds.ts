// How the text of one setting becomes a value. Each kind returns the value or throws a German sentence
// that completes "NAME …".
import { existsSync } from 'node:fs'
import { isIP } from 'node:net'
import { join, resolve } from 'node:path'
import { AddressFault, parseAddress } from './database/address.ts'

/** Says what is wrong with a value, for the operator. */
export class SettingFault extends Error {}

export type Kind<T> = (text: string) => T

const fault = (message: string): never => {
  throw new SettingFault(message)
}

export const anyText: Kind<string> = (text) => text

/** A key that cannot be guessed and fits into a header. Never quoted in a message. */
export const longWord: Kind<string> = (text) =>
  /^[\x21-\x7e]{24,200}$/.test(text)
    ? text
    : fault('muss aus 24 bis 200 Zeichen ohne Leerzeichen bestehen: openssl rand -hex 24 macht eines')

export const wholeNumber =
  (least: number, most: number): Kind<number> =>
  (text) => {
    const value = /^\d{1,12}$/.test(text) ? Number(text) : Number.NaN
    return value >= least && value <= most
      ? value
      : fault(`muss eine ganze Zahl von ${least} bis ${most} sein, nicht „${text}“`)
  }

/** A part of the whole. */
export const share: Kind<number> = (text) =>
  /^(?:0(?:\.\d{1,9})?|1(?:\.0{1,9})?)$/.test(text)
    ? Number(text)
    : fault(`muss eine Zahl von 0 bis 1 sein, nicht „${text}“`)

/** Euros with at most two decimal places, kept as text: "480" or "480.50". */
export const amount: Kind<string> = (text) =>
  /^\d{1,7}(?:\.\d{1,2})?$/.test(text)
    ? text
    : fault(`muss ein Betrag wie 480 oder 480.50 sein, nicht „${text}“`)

export const onOff: Kind<boolean> = (text) =>
  text === 'on' ? true : text === 'off' ? false : fault(`muss on oder off sein, nicht „${text}“`)

export const oneOf =
  <const T extends string>(...words: readonly T[]): Kind<T> =>
  (text) =>
    words.find((word) => word === text) ?? fault(`muss ${words.join(' oder ')} sein, nicht „${text}“`)

/** The slashes are required: some programs complete `https:forst.example` and others do not. */
const parseUrl = (text: string): URL =>
  URL.canParse(text) && /^[a-z]+:\/\//i.test(text)
    ? new URL(text)
    : fault(`ist keine vollständige Adresse: „${withoutPassword(text)}“`)

/** Addresses may contain passwords; a message that quotes one leaves them out. */
const withoutPassword = (text: string): string => text.replace(/\/\/[^@/]*@/, '//…@')

export const webAddress: Kind<string> = (text) => {
  const { protocol } = parseUrl(text)
  return protocol === 'https:' || protocol === 'http:'
    ? text
    : fault('muss mit https:// oder http:// beginnen')
}

/** Scheme, host and port, nothing after them. */
export const webOrigin: Kind<string> = (text) => {
  const { origin } = parseUrl(webAddress(text))
  return origin === text.replace(/\/$/, '')
    ? origin
    : fault(`darf keinen Pfad enthalten: „${origin}“ statt „${text}“`)
}

export const postgresAddress: Kind<string> = (text) => {
  try {
    parseAddress(text)
  } catch (error) {
    fault(error instanceof AddressFault ? error.message : 'ist keine Adresse von PostgreSQL')
  }
  return text
}

export const mailServer: Kind<string> = (text) => {
  const { protocol, hostname } = parseUrl(text)
  if (!['smtp:', 'smtps:'].includes(protocol)) fault('muss mit smtp:// oder smtps:// beginnen')
  return hostname === '' ? fault('nennt keinen Rechner: smtp://nutzer:passwort@rechner:587') : text
}

export const mailbox: Kind<string> = (text) => {
  const { protocol, hostname, username, password } = parseUrl(text)
  if (!['imap:', 'imaps:'].includes(protocol)) fault('muss mit imaps:// oder imap:// beginnen')
  return hostname === '' || username === '' || password === ''
    ? fault('nennt nicht Nutzer, Passwort und Rechner: imaps://nutzer:passwort@rechner:993')
    : text
}

/** What a server listens on: no scheme, no port. */
export const hostName: Kind<string> = (text) =>
  isIP(text) !== 0 || /^(?=.{1,253}$)[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_])?$/i.test(text)
    ? text
    : fault(
        `muss ein Rechner oder eine Netzadresse ohne Port sein (für den Port gibt es PORT), nicht „${text}“`,
      )

/** Words separated by spaces, one of which is required. */
export const wordsWith =
  (word: string): Kind<string> =>
  (text) =>
    text.split(/\s+/).includes(word) ? text : fault(`muss das Wort ${word} enthalten, nicht nur „${text}“`)

export const mailAddress: Kind<string> = (text) =>
  /^[^\s@<>]+@[^\s@<>]+$|^[^<>\r\n]*<[^\s@<>]+@[^\s@<>]+>$/.test(text)
    ? text
    : fault(`ist keine E-Mail-Adresse: „${text}“`)

/**
 * A path on the server: one slash in front, none at the end, nothing that a proxy
 * could interpret differently.
 */
export const basePath: Kind<string> = (text) =>
  /^(?:\/[a-z0-9][a-z0-9._-]*)+$/i.test(text) ? text : fault(`muss ein Pfad wie /rest sein, nicht „${text}“`)

export const folder: Kind<string> = (text) => resolve(text)

/** A folder that already holds this file. */
export const folderWith =
  (file: string): Kind<string> =>
  (text) =>
    existsSync(join(resolve(text), file))
      ? resolve(text)
      : fault(`ist kein Ordner, in dem ${file} liegt: „${text}“`)

export const bucketName: Kind<string> = (text) =>
  /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(text) ? text : fault(`ist kein Name eines Buckets: „${text}“`)

/** Folders in front of an object's name, without anything that could escape from them. */
export const objectPrefix: Kind<string> = (text) =>
  /^(?:[A-Za-z0-9_-][A-Za-z0-9._-]*\/)*$/.test(text)
    ? text
    : fault(`muss wie forst/ auf einen Schrägstrich enden, nicht „${text}“`)

export const timeOfDay: Kind<string> = (text) =>
  /^(?:[01]\d|2[0-3]):[0-5]\d$/.test(text) ? text : fault(`muss eine Uhrzeit wie 02:30 sein, nicht „${text}“`)

export const listOf =
  <T>(kind: Kind<T>): Kind<readonly T[]> =>
  (text) => {
    const parts = text
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== '')
    return parts.length === 0 ? fault('ist eine leere Liste') : Object.freeze(parts.map(kind))
  }

/** How a proxy is recognised: `loopback`, or addresses and networks. */
export const proxyAddress: Kind<string> = (text) => {
  const [address = '', bits, ...rest] = text.split('/')
  const named = ['loopback', 'linklocal', 'uniquelocal'].includes(text)
  const most = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1
  const network =
    most >= 0 && rest.length === 0 && (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= most))
  return named || network
    ? text
    : fault(`muss loopback oder eine Netzadresse wie 10.0.0.0/8 sein, nicht „${text}“`)
}
