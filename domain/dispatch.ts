// The message that accompanies a document: its default text, and the values of its placeholders.

import { BELEG_NAME } from './abschlag-text.ts'
import type { Beleg } from './beleg.ts'
import { formatEuro } from './geld.ts'
import { maskIban } from './iban.ts'
import { MAHN_TITLE } from './mahnung.ts'
import type { Placeholder } from './placeholders.ts'
import { germanDay } from './day.ts'

export interface Message {
  readonly betreff: string
  readonly text: string
}

const HELLO = 'Sehr geehrte Damen und Herren,'
const letter = (...paragraphs: readonly string[]): string =>
  [HELLO, ...paragraphs.filter((paragraph) => paragraph !== '')].join('\n\n')

/** Contains the placeholders of text blocks. */
export function coverMessageOf(beleg: Beleg): Message {
  const end = `Mit freundlichen Grüßen\n${beleg.lieferant.name}`
  const xml =
    beleg.format === 'xrechnung'
      ? 'Maßgeblich ist die XML-Datei (XRechnung); das PDF ist eine lesbare Ansicht davon.'
      : ''
  const payable = beleg.faellig !== null && !/^-|^0(?:\.0+)?$/.test(beleg.summen.zahlbetrag)
  const debit = beleg.einzug
  switch (beleg.art) {
    case 'mahnung': {
      const name = MAHN_TITLE[beleg.mahnung?.stufe ?? 1]
      return {
        betreff: `${name} zur Rechnung {nummer}`,
        text: letter(
          name === 'Zahlungserinnerung'
            ? 'vielleicht ist es Ihnen entgangen: Unsere Rechnung {nummer} ist noch nicht vollständig bezahlt. ' +
                'Bitte überweisen Sie {betrag} bis zum {faellig}. Unsere Zahlungserinnerung finden Sie im Anhang.'
            : `anbei erhalten Sie unsere ${name === 'Letzte Mahnung' ? 'letzte Mahnung' : name} zur ` +
                'Rechnung {nummer}. Bitte überweisen Sie {betrag} bis zum {faellig}.',
          'Sollten Sie inzwischen gezahlt haben, betrachten Sie diese E-Mail bitte als gegenstandslos.',
          end,
        ),
      }
    }
    case 'angebot':
      return {
        betreff: 'Angebot {nummer}',
        text: letter(
          'anbei erhalten Sie unser Angebot {nummer} vom {datum} über ' +
            `{betrag}.${beleg.gueltig_bis === null ? '' : ' Es gilt bis zum {faellig}.'}`,
          'Wir freuen uns auf Ihre Antwort.',
          end,
        ),
      }
    case 'storno':
      return {
        betreff: 'Stornorechnung {nummer}',
        text: letter(
          'anbei erhalten Sie die Stornorechnung {nummer} vom ' +
            `{datum}${beleg.bezug === null ? '' : ` zur ${BELEG_NAME[beleg.bezug.art]} ${beleg.bezug.nummer}`}.`,
          xml,
          end,
        ),
      }
    case 'korrektur':
      return {
        betreff: 'Rechnungskorrektur {nummer}',
        text: letter(
          'anbei erhalten Sie die Rechnungskorrektur {nummer} vom ' +
            `{datum}${beleg.bezug === null ? '' : ` zur ${BELEG_NAME[beleg.bezug.art]} ${beleg.bezug.nummer}`}.`,
          xml,
          end,
        ),
      }
    case 'rechnung':
    case 'abschlag':
    case 'schluss':
      return {
        betreff: `${BELEG_NAME[beleg.art]} {nummer}`,
        text: letter(
          `anbei erhalten Sie unsere ${BELEG_NAME[beleg.art]} {nummer} vom {datum} über ` +
            `{betrag}${payable && debit === undefined ? ', zahlbar bis zum {faellig}' : ''}.`,
          payable && debit !== undefined
            ? `Den Betrag ziehen wir am ${germanDay(debit.tag)} von Ihrem Konto ${maskIban(debit.iban)} ein ` +
                `(Mandat ${debit.mandat}, Gläubiger-ID ${debit.glaeubiger_id}).`
            : '',
          xml,
          end,
        ),
      }
  }
}

/** A reminder refers to its invoice; for an offer `faellig` is its last day of validity. */
export function placeholdersOf(beleg: Beleg): Partial<Record<Placeholder, string>> {
  const until = beleg.faellig ?? beleg.gueltig_bis
  return {
    name: beleg.empfaenger.name,
    nummer: beleg.art === 'mahnung' ? (beleg.bezug?.nummer ?? '') : beleg.nummer,
    datum: germanDay(beleg.datum),
    ...(until === null ? {} : { faellig: germanDay(until) }),
    betrag: formatEuro(beleg.summen.zahlbetrag),
  }
}

/** Addresses as people list them, separated by commas, semicolons or line breaks. */
export const addressesOf = (text: string): string[] => [
  ...new Set(
    text
      .split(/[,;\n]/)
      .map((one) => one.trim())
      .filter((one) => one !== ''),
  ),
]
const ADDRESS = /^[^\s@<>",;:\\()[\]]+@[^\s@<>",;:\\()[\]]+\.[^\s@<>",;:\\()[\].]{2,}$/
export const MOST_ADDRESSES = 10
export const isAddress = (text: string): boolean => ADDRESS.test(text) && text.length <= 254
