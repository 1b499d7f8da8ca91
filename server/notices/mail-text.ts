// The e-mail text of a notice: German, plain text, one link, and where to switch it off.
import type { NoticeContent } from '#contract/notice.ts'

export interface NoticeMail {
  readonly subject: string
  readonly text: string
}

const MODULE: Readonly<Record<string, string>> = {
  fe: 'Forsteinrichtung',
  basis_fe: 'Basis-Forsteinrichtung',
  kawm: 'KAWM',
}

const germanDay = (iso: string): string => iso.split('-').reverse().join('.')
const percent = (value: number): string => `${String(value).replace('.', ',')} %`

/** Subject and sentence. */
function wordsOf(content: NoticeContent): readonly [subject: string, sentence: string] {
  switch (content.art) {
    case 'karte_gezeigt':
      return [
        `Neue Karte: ${content.params.karte}`,
        `für Sie wurde die Karte „${content.params.karte}“ freigegeben.`,
      ]
    case 'bem_client_antwort':
      return [
        `Antwort zur Karte ${content.params.karte}`,
        `Ihre Bemerkung zur Karte „${content.params.karte}“ wurde beantwortet.`,
      ]
    case 'angebot_angenommen':
      return [
        `Angebot ${content.params.angebot} angenommen`,
        content.params.kunde === null
          ? `das Angebot ${content.params.angebot} wurde angenommen.`
          : `${content.params.kunde} hat das Angebot ${content.params.angebot} angenommen.`,
      ]
    case 'angebot_abgelehnt':
      return [
        `Angebot ${content.params.angebot} abgelehnt`,
        content.params.kunde === null
          ? `das Angebot ${content.params.angebot} wurde abgelehnt.`
          : `${content.params.kunde} hat das Angebot ${content.params.angebot} abgelehnt.`,
      ]
    case 'dokument_neu': {
      const { art, nummer } = content.params
      if (art === 'angebot')
        return [
          `Neues Angebot ${nummer}`,
          `für Sie liegt das Angebot ${nummer} bereit. Sie können es gleich beantworten.`,
        ]
      const what = art === 'storno' ? 'Stornorechnung' : 'Rechnung'
      return [`Neue ${what} ${nummer}`, `für Sie liegt die ${what} ${nummer} bereit.`]
    }
    case 'gutschein_laeuft_ab': {
      const { id, expire_date, rabatt_abo, rabatt_kawm } = content.params
      const day = germanDay(expire_date)
      return [
        `Gutschein ${id} läuft am ${day} ab`,
        `der Gutschein ${id} (${percent(rabatt_abo)} auf das Abo, ${percent(rabatt_kawm)} auf KAWM) ist noch nicht eingelöst und läuft am ${day} ab.`,
      ]
    }
    case 'laufzeit_endet': {
      const { hq, modul, ende, zustand } = content.params
      const what = `${MODULE[modul] ?? modul} für ${hq}`
      return [
        `Laufzeit endet am ${germanDay(ende)}: ${hq}`,
        zustand === 'gekuendigt'
          ? `das gekündigte Abo ${what} endet am ${germanDay(ende)}.`
          : `die Laufzeit des Abos ${what} endet am ${germanDay(ende)}; danach verlängert es sich, wenn es nicht gekündigt wird.`,
      ]
    }
  }
}

const upper = (sentence: string): string => sentence.slice(0, 1).toLocaleUpperCase('de') + sentence.slice(1)

/** A subject is one line, whatever names it contains. */
// oxlint-disable-next-line no-control-regex -- control characters are what it removes
const oneLine = (text: string): string =>
  text.replaceAll(/[\u0000-\u001f\u007f\u0085\u2028\u2029]+/g, ' ').slice(0, 200)

interface Around {
  readonly name: string | null
  readonly profileLink: string
  readonly title: string
}
const greetingOf = (name: string | null): string =>
  name === null ? 'Guten Tag,' : `Guten Tag ${oneLine(name)},`
const footOf = ({ profileLink, title }: Around): string => `
Mit freundlichen Grüßen
${title}

--
Diese Nachricht hat ${title} verschickt, weil Sie solche Benachrichtigungen erhalten. In Ihrem Profil stellen Sie sie ab:
${profileLink}
`

/** Several notices to one person in one mail. */
export function digestMail(
  notices: readonly { readonly content: NoticeContent; readonly link: string }[],
  around: Around,
): NoticeMail {
  const lines = notices.map(({ content, link }) => `• ${upper(wordsOf(content)[1])}\n  ${link}\n`)
  return {
    subject: oneLine(`${notices.length} Benachrichtigungen – ${around.title}`),
    text: `${greetingOf(around.name)}\n\nes gibt Neues für Sie:\n\n${lines.join('\n')}${footOf(around)}`,
  }
}

/** To a new contact address: not a notice, so it does not say where notices are switched off. */
export function contactMail({
  name,
  link,
  title,
}: {
  readonly name: string | null
  readonly link: string
  readonly title: string
}): NoticeMail {
  return {
    subject: oneLine(`Bitte bestätigen Sie Ihre Kontaktadresse – ${title}`),
    text: `${greetingOf(name)}

diese Adresse wurde bei ${title} als Ihre Kontaktadresse eingetragen. Folgen Sie bitte diesem Link und melden Sie sich an, dann gehen Nachrichten hierher:

${link}

Der Link gilt 24 Stunden. Kennen Sie ${title} nicht, brauchen Sie nichts zu tun: Ohne Bestätigung kommt nichts weiter.

Mit freundlichen Grüßen
${title}
`,
  }
}

export function noticeMail(
  content: NoticeContent,
  { link, ...around }: Around & { readonly link: string },
): NoticeMail {
  const [subject, sentence] = wordsOf(content)
  return {
    subject: oneLine(`${upper(subject)} – ${around.title}`),
    text: `${greetingOf(around.name)}\n\n${sentence}\n\n${link}\n${footOf(around)}`,
  }
}
