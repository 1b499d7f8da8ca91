// Every mail that the product sends, once, as it is written: for tests and for people to look at.
import { coverMessageOf, placeholdersOf } from '#domain/dispatch.ts'
import { fillPlaceholders } from '#domain/placeholders.ts'
import { coverLetter } from '#server/dispatch/cover-letter.ts'
import {
  angebot,
  LIEFERANT,
  mahnung,
  korrektur,
  storno,
  threeRates,
  xrechnung,
} from '#server/documents/beleg.fixture.ts'
import { invitation, lockWarning, passwordChanged, passwordReset } from '#server/identity/mail.ts'
import type { Language, Letter, Sender, WrittenLetter } from '#server/mail/letter.ts'
import { writeLetter } from '#server/mail/write-letter.ts'
import { contactLetter, digestLetter, type Notice, noticeLetter } from '#server/notices/mail-text.ts'

const ORIGIN = 'https://forst.example'
const CODE = 'AbC-dEf_0123456789012345678901234567890123'

export interface SampleNames {
  readonly title: string
  readonly person: string
  readonly karte: string
  readonly kunde: string
  readonly company: string
}
export const EVERYDAY: SampleNames = {
  title: 'Forstkontor',
  person: 'Jörg Eiche',
  karte: 'Dränplan Revier Nord',
  kunde: 'Gräflich Hohenfels’sche Forstverwaltung',
  company: LIEFERANT.name,
}

/** By file name. */
export function sampleMails(
  language: Language,
  names: SampleNames = EVERYDAY,
): Readonly<Record<string, WrittenLetter>> {
  const letterhead = { ...LIEFERANT, name: names.company, name_zusatz: '' }
  const support = { phone: '05323 1234-0', hours: 'Mo-Fr 9-17 Uhr' }
  const write = (letters: Readonly<Record<string, Letter>>, sender: Sender) =>
    Object.fromEntries(
      Object.entries(letters).map(([name, letter]) => [
        `${name}-${letter.language}`,
        writeLetter(letter, sender),
      ]),
    )
  return {
    ...write(
      { ...signInLetters(language, names), ...noticeLetters(language, names) },
      { name: names.title, letterhead, support },
    ),
    ...write(documentLetters(names), { name: names.company, letterhead }),
  }
}

function signInLetters(language: Language, { title }: SampleNames) {
  const around = {
    language,
    title,
    publicOrigin: ORIGIN,
    link: `${ORIGIN}/anmelden/passwort/${CODE}`,
    expires: new Date('2026-11-28T10:30:00Z'),
  }
  return {
    einladung: invitation(around),
    passwort: passwordReset(around),
    sperre: lockWarning(around),
    'passwort-neu': passwordChanged(around),
    kontakt: contactLetter({ language, title, link: `${ORIGIN}/profile/index?bestaetigen=${CODE}` }),
  }
}

function noticeLetters(language: Language, { title, person: name, karte, kunde }: SampleNames) {
  const around = { language, title, name, origin: ORIGIN }
  const content: Readonly<Record<string, Notice['content']>> = {
    karte: { art: 'karte_gezeigt', params: { karte } },
    antwort: { art: 'bem_client_antwort', params: { karte } },
    angenommen: { art: 'angebot_angenommen', params: { angebot: 'AN-2026-0003', kunde } },
    abgelehnt: { art: 'angebot_abgelehnt', params: { angebot: 'AN-2026-0003', kunde: null } },
    dokument: { art: 'dokument_neu', params: { art: 'rechnung', nummer: 'RE-2026-0017' } },
    gutschein: {
      art: 'gutschein_laeuft_ab',
      params: { id: 4, expire_date: '2026-12-01', rabatt_abo: 12.5, rabatt_kawm: 7 },
    },
    laufzeit: {
      art: 'laufzeit_endet',
      params: { hq: karte, modul: 'basis_fe', ende: '2026-12-31', zustand: 'aktiv' },
    },
    buecher: { art: 'buecher_befund', params: { anzahl: 3 } },
  }
  const notices = Object.entries(content).map(([kind, content]): [string, Notice] => [
    kind,
    { content, link: `${ORIGIN}/karten/7` },
  ])
  return {
    ...Object.fromEntries(notices.map(([kind, notice]) => [`meldung-${kind}`, noticeLetter(notice, around)])),
    'meldungen-mehrere': digestLetter(
      notices.map(([, notice]) => notice),
      around,
    ),
  }
}

function documentLetters({ company, kunde }: SampleNames) {
  const belege = {
    angebot: angebot(),
    rechnung: threeRates(),
    storno: storno(),
    korrektur: korrektur(),
    xrechnung: xrechnung(),
    mahnung: mahnung(),
  }
  return Object.fromEntries(
    Object.entries(belege).map(([kind, given]) => {
      const beleg = { ...given, lieferant: { ...given.lieferant, name: company } }
      const { betreff, text } = coverMessageOf(beleg)
      const values = { ...placeholdersOf(beleg), name: kunde }
      // A clerk has added the link, and the customer's name.
      const link = kind === 'angebot' ? `Für {name}:\n${ORIGIN}/annahme#${CODE}\n\n` : ''
      return [
        `beleg-${kind}`,
        coverLetter({
          betreff: fillPlaceholders(betreff, values),
          text: fillPlaceholders(text.replace(/(?=Mit freundlichen)/, link), values),
          origin: ORIGIN,
        }),
      ]
    }),
  )
}
