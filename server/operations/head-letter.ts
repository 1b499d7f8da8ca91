// The daily mail with the head of the books. Kept by somebody outside, it proves later that nothing of what was
// booked until then has changed.
import type { Head } from '#server/anchors.ts'
import { paragraph, type WrittenLetter } from '#server/mail/letter.ts'
import { writeLetter } from '#server/mail/write-letter.ts'

export interface HeadLetter {
  readonly head: Head
  readonly time: Date
  readonly origin: string
  /** Of the application. */
  readonly title: string
}

const moment = (time: Date): string =>
  time.toLocaleString('de-DE', { timeZone: 'Europe/Berlin', dateStyle: 'medium', timeStyle: 'medium' })

export function headLetter({ head, time, origin, title }: HeadLetter): WrittenLetter {
  const { nr, kopf } = head
  return writeLetter(
    {
      language: 'de',
      subject: `Prüfsumme der Bücher: Siegel ${nr} – ${title}`,
      heading: `Prüfsumme der Bücher: Siegel ${nr}`,
      blocks: [
        paragraph('Guten Tag,'),
        paragraph(`das letzte Siegel der Bücher ist am ${moment(time)} Uhr:`),
        paragraph(`Siegel ${nr}\n${kopf}`),
        paragraph(
          'Bitte bewahren Sie diese E-Mail auf. Solange die Bücher unter dieser Nummer dieselbe Prüfsumme ' +
            'haben, wurde nichts geändert, was bis dahin gebucht war.',
        ),
      ],
      reason: {
        text:
          'Sie erhalten diese E-Mail jeden Tag, weil Ihre Adresse in den Einstellungen dafür genannt ist. ' +
          'Die Prüfung der Bücher:',
        link: `${origin}/buchhaltung/pruefung?teil=pruefung`,
      },
    },
    { name: title, letterhead: null },
  )
}
