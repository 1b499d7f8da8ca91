// What a notice says in a mail, in both languages; in the application web/src/app/notices/notice-words.ts does.
import { BELEG_NAME } from '#domain/abschlag-text.ts'
import type { InvoiceKind } from '#domain/beleg.ts'
import type { NoteKind } from '#contract/note.ts'
import type { NoticeContent } from '#contract/notice.ts'
import type { Words } from '#server/mail/words.ts'

export interface Said {
  readonly heading: string
  /** Continues the greeting, and stands alone among several. */
  readonly sentence: string
  readonly button: string
}

const GERMAN_MODULES: Readonly<Record<string, string>> = {
  fe: 'Forsteinrichtung',
  basis_fe: 'Basis-Forsteinrichtung',
  kawm: 'KAWM',
}
const ENGLISH_MODULES: Readonly<Record<string, string>> = {
  fe: 'Forest management plan',
  basis_fe: 'Basic forest management plan',
  kawm: 'KAWM',
}

const germanDay = (iso: string): string => iso.split('-').reverse().join('.')
const englishDay = (iso: string): string =>
  new Date(`${iso}T00:00:00Z`).toLocaleDateString('en-GB', { timeZone: 'UTC', dateStyle: 'long' })
const germanPercent = (value: number): string => `${String(value).replace('.', ',')} %`

/** The record of a note, after "Notiz …". */
function germanRecord(art: NoteKind, name: string): string {
  switch (art) {
    case 'kunde':
      return `zum Kunden „${name}“`
    case 'hq':
      return `zum Forstbetrieb „${name}“`
    case 'angebot':
      return name === '' ? 'zu einem Angebotsentwurf' : `zum Angebot ${name}`
    case 'rechnung':
      return name === '' ? 'zu einem Rechnungsentwurf' : `zur Rechnung ${name}`
    case 'karte':
      return `zum Plan „${name}“`
  }
}

function englishRecord(art: NoteKind, name: string): string {
  switch (art) {
    case 'kunde':
      return `the customer “${name}”`
    case 'hq':
      return `the holding “${name}”`
    case 'angebot':
      return name === '' ? 'a draft offer' : `offer ${name}`
    case 'rechnung':
      return name === '' ? 'a draft invoice' : `invoice ${name}`
    case 'karte':
      return `the plan “${name}”`
  }
}

function german(content: NoticeContent): Said {
  switch (content.art) {
    case 'karte_gezeigt': {
      const { karte } = content.params
      return {
        heading: `Neuer Plan: ${karte}`,
        sentence: `der Plan „${karte}“ wurde für Sie freigegeben.`,
        button: 'Plan ansehen',
      }
    }
    case 'bem_client_antwort': {
      const { karte } = content.params
      return {
        heading: `Antwort zum Plan ${karte}`,
        sentence: `Ihre Bemerkung zum Plan „${karte}“ wurde beantwortet.`,
        button: 'Antwort lesen',
      }
    }
    case 'angebot_angenommen':
    case 'angebot_abgelehnt': {
      const { angebot, kunde } = content.params
      const done = content.art === 'angebot_angenommen' ? 'angenommen' : 'abgelehnt'
      return {
        heading: `Angebot ${angebot} ${done}`,
        sentence:
          kunde === null
            ? `das Angebot ${angebot} wurde ${done}.`
            : `${kunde} hat das Angebot ${angebot} ${done}.`,
        button: 'Angebot ansehen',
      }
    }
    case 'dokument_neu':
      return germanDocument(content.params)
    case 'gutschein_laeuft_ab': {
      const { id, expire_date, rabatt_abo, rabatt_kawm } = content.params
      const day = germanDay(expire_date)
      return {
        heading: `Gutschein ${id} läuft am ${day} ab`,
        sentence:
          `der Gutschein ${id} (${germanPercent(rabatt_abo)} auf das Abo, ${germanPercent(rabatt_kawm)} auf ` +
          `KAWM) wurde noch nicht eingelöst und läuft am ${day} ab.`,
        button: 'Gutscheine ansehen',
      }
    }
    case 'laufzeit_endet': {
      const { hq, modul, ende, zustand } = content.params
      const what = `${GERMAN_MODULES[modul] ?? modul} für ${hq}`
      return {
        heading: `Laufzeit endet am ${germanDay(ende)}: ${hq}`,
        sentence:
          zustand === 'gekuendigt'
            ? `das Abo ${what} ist gekündigt und endet am ${germanDay(ende)}.`
            : `das Abo ${what} läuft bis zum ${germanDay(ende)}. Wird es nicht gekündigt, verlängert es sich ` +
              'danach.',
        button: 'Abo ansehen',
      }
    }
    case 'notiz_erwaehnt': {
      const { von, art, name } = content.params
      const where = `Notiz ${germanRecord(art, name)}`
      return {
        heading: `Sie wurden erwähnt: ${where}`,
        sentence:
          von === null
            ? `Sie wurden in einer ${where} erwähnt.`
            : `${von} hat Sie in einer ${where} erwähnt.`,
        button: 'Notiz lesen',
      }
    }
    case 'buecher_befund':
      return {
        heading: 'Die Bücher sind nicht, wie sie gebucht wurden',
        sentence:
          'die nächtliche Prüfung der Bücher hat etwas gefunden, das sich seit dem Buchen geändert hat. Bitte ' +
          'sehen Sie es sich heute noch an, und ändern Sie bis dahin nichts.',
        button: 'Prüfung öffnen',
      }
    case 'zugang_neu':
    case 'zugang_endet':
      return germanKey(content)
    case 'webhook_pause':
      return germanPause(content.params)
  }
}

type Params<Kind> = Extract<NoticeContent, { art: Kind }>['params']

function germanDocument({ art, nummer }: Params<'dokument_neu'>): Said {
  if (art === 'angebot')
    return {
      heading: `Neues Angebot ${nummer}`,
      sentence: `für Sie liegt das Angebot ${nummer} bereit. Sie können es ansehen und direkt annehmen oder ablehnen.`,
      button: 'Angebot ansehen',
    }
  const what = BELEG_NAME[art]
  return {
    heading: `Neue ${what} ${nummer}`,
    sentence: `für Sie liegt die ${what} ${nummer} bereit.`,
    button: `${what} ansehen`,
  }
}

function english(content: NoticeContent): Said {
  switch (content.art) {
    case 'karte_gezeigt': {
      const { karte } = content.params
      return {
        heading: `New plan: ${karte}`,
        sentence: `The plan “${karte}” has been released for you.`,
        button: 'View the plan',
      }
    }
    case 'bem_client_antwort': {
      const { karte } = content.params
      return {
        heading: `Reply about the plan ${karte}`,
        sentence: `Your comment on the plan “${karte}” has been answered.`,
        button: 'Read the reply',
      }
    }
    case 'angebot_angenommen':
    case 'angebot_abgelehnt': {
      const { angebot, kunde } = content.params
      const done = content.art === 'angebot_angenommen' ? 'accepted' : 'declined'
      return {
        heading: `Offer ${angebot} ${done}`,
        sentence:
          kunde === null ? `Offer ${angebot} has been ${done}.` : `${kunde} has ${done} offer ${angebot}.`,
        button: 'View the offer',
      }
    }
    case 'dokument_neu':
      return englishDocument(content.params)
    case 'gutschein_laeuft_ab': {
      const { id, expire_date, rabatt_abo, rabatt_kawm } = content.params
      const day = englishDay(expire_date)
      return {
        heading: `Voucher ${id} expires on ${day}`,
        sentence:
          `Voucher ${id} (${rabatt_abo}% off the subscription, ${rabatt_kawm}% off KAWM) has not been ` +
          `redeemed yet and expires on ${day}.`,
        button: 'View the vouchers',
      }
    }
    case 'laufzeit_endet': {
      const { hq, modul, ende, zustand } = content.params
      const what = `${ENGLISH_MODULES[modul] ?? modul} for ${hq}`
      return {
        heading: `Term ends on ${englishDay(ende)}: ${hq}`,
        sentence:
          zustand === 'gekuendigt'
            ? `The subscription ${what} has been cancelled and ends on ${englishDay(ende)}.`
            : `The subscription ${what} runs until ${englishDay(ende)}. It is renewed after that unless it is ` +
              'cancelled.',
        button: 'View the subscription',
      }
    }
    case 'notiz_erwaehnt': {
      const { von, art, name } = content.params
      const where = `a note on ${englishRecord(art, name)}`
      return {
        heading: `You were mentioned in ${where}`,
        sentence: von === null ? `You were mentioned in ${where}.` : `${von} mentioned you in ${where}.`,
        button: 'Read the note',
      }
    }
    case 'buecher_befund':
      return {
        heading: 'The books are not as they were posted',
        sentence:
          'The nightly check of the books found something that has changed since it was posted. Please look at ' +
          'it today, and do not change anything until then.',
        button: 'Open the check',
      }
    case 'zugang_neu':
    case 'zugang_endet':
      return englishKey(content)
    case 'webhook_pause':
      return englishPause(content.params)
  }
}

const GERMAN_PAUSES = {
  aufgegeben:
    'hat zweieinhalb Tage lang nichts angenommen. Bitte prüfen Sie das Programm, und setzen Sie die ' +
    'Benachrichtigung dann fort; was inzwischen geschehen ist, wird nachgeliefert.',
  abgemeldet: 'hat sich abgemeldet. Brauchen Sie es nicht mehr, löschen Sie den Empfänger.',
  geheimnis:
    'kann nicht mehr benachrichtigt werden, weil das Geheimnis nicht mehr lesbar ist. Bitte legen Sie ein neues ' +
    'an, und tragen Sie es im Programm ein.',
}
const germanPause = ({ name, grund }: Params<'webhook_pause'>): Said => ({
  heading: `„${name}“ wird nicht mehr benachrichtigt`,
  sentence: `das Programm „${name}“ ${GERMAN_PAUSES[grund]}`,
  button: 'Empfänger ansehen',
})
const ENGLISH_PAUSES = {
  aufgegeben:
    'has accepted nothing for two and a half days. Please check the program and then resume; what has happened ' +
    'meanwhile will be delivered.',
  abgemeldet: 'has signed off. If you no longer need it, delete the receiver.',
  geheimnis:
    'can no longer be notified because its secret cannot be read any more. Please create a new one and enter it in ' +
    'the program.',
}
const englishPause = ({ name, grund }: Params<'webhook_pause'>): Said => ({
  heading: `“${name}” is no longer notified`,
  sentence: `The program “${name}” ${ENGLISH_PAUSES[grund]}`,
  button: 'View receivers',
})

type KeyNotice = Extract<NoticeContent, { art: 'zugang_neu' | 'zugang_endet' }>

function germanKey({ art, params: { name, bis } }: KeyNotice): Said {
  const day = germanDay(bis)
  if (art === 'zugang_neu')
    return {
      heading: `Neuer Schlüssel für ein Programm: ${name}`,
      sentence:
        `in Ihrem Namen wurde der Schlüssel „${name}“ für ein Programm angelegt. Er gilt bis zum ${day}. Waren ` +
        'Sie das nicht, widerrufen Sie ihn sofort in Ihrem Profil, und ändern Sie Ihr Passwort.',
      button: 'Schlüssel ansehen',
    }
  return {
    heading: `Schlüssel „${name}“ läuft am ${day} ab`,
    sentence:
      `der Schlüssel „${name}“ für ein Programm gilt nur noch bis zum ${day}. Danach hat das Programm keinen ` +
      'Zugriff mehr. Brauchen Sie es weiter, legen Sie vorher einen neuen Schlüssel an, und tragen Sie ihn im ' +
      'Programm ein.',
    button: 'Schlüssel ansehen',
  }
}

function englishKey({ art, params: { name, bis } }: KeyNotice): Said {
  const day = englishDay(bis)
  if (art === 'zugang_neu')
    return {
      heading: `New key for a program: ${name}`,
      sentence:
        `A key for a program, “${name}”, was created in your name. It is valid until ${day}. If this was not ` +
        'you, revoke it in your profile at once and change your password.',
      button: 'View keys',
    }
  return {
    heading: `Key “${name}” expires on ${day}`,
    sentence:
      `The key “${name}” for a program is valid only until ${day}. After that the program no longer has access. ` +
      'If you still need it, create a new key beforehand and enter it in the program.',
    button: 'View keys',
  }
}

const ENGLISH: Readonly<Record<InvoiceKind, string>> = {
  rechnung: 'invoice',
  abschlag: 'advance invoice',
  schluss: 'final invoice',
  storno: 'cancellation invoice',
  korrektur: 'invoice correction',
}
function englishDocument({ art, nummer }: Params<'dokument_neu'>): Said {
  if (art === 'angebot')
    return {
      heading: `New offer ${nummer}`,
      sentence: `Offer ${nummer} is ready for you. You can view it and accept or decline it right away.`,
      button: 'View the offer',
    }
  const what = ENGLISH[art]
  return {
    heading: `New ${what} ${nummer}`,
    sentence: `${what[0]!.toUpperCase()}${what.slice(1)} ${nummer} is ready for you.`,
    button: `View the ${what}`,
  }
}

export const SAID: Words<(content: NoticeContent) => Said> = { de: german, en: english }
