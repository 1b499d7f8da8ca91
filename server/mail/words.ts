// Words that several mails share.
import { type Block, type Language, paragraph } from './letter.ts'
import { oneLine } from './plain.ts'

/** One text for each language, with what it needs. */
export type Words<T> = Readonly<Record<Language, T>>

export function greeting(language: Language, name: string | null = null): Block {
  const who = name === null ? '' : ` ${oneLine(name)}`
  return paragraph(language === 'de' ? `Guten Tag${who},` : `Hello${who},`)
}

export const closing = (language: Language, name: string): Block =>
  paragraph(`${language === 'de' ? 'Mit freundlichen Grüßen' : 'Kind regards'}\n${oneLine(name)}`)

/** In Germany, whatever the server's clock is set to. */
export function momentText(language: Language, moment: Date): string {
  const local = moment.toLocaleString(language === 'de' ? 'de-DE' : 'en-GB', {
    timeZone: 'Europe/Berlin',
    dateStyle: 'full',
    timeStyle: 'short',
  })
  return language === 'de' ? `${local} Uhr` : `${local} (German time)`
}
