// What the mails of the application say: notices, several at once, and the question whether a contact address
// is right.
import type { NoticeContent } from '#contract/notice.ts'
import { button, type Language, type Letter, paragraph } from '#server/mail/letter.ts'
import { oneLine } from '#server/mail/plain.ts'
import { closing, greeting, type Words } from '#server/mail/words.ts'
import { SAID } from './notice-said.ts'

export interface Notice {
  readonly content: NoticeContent
  readonly link: string
}
export interface Around {
  readonly language: Language
  readonly name: string | null
  /** Of the application. */
  readonly title: string
  readonly origin: string
}

const upper = (sentence: string): string => sentence.slice(0, 1).toLocaleUpperCase('de') + sentence.slice(1)

const WHY: Words<(title: string) => string> = {
  de: (title) =>
    `Sie erhalten diese E-Mail, weil Sie Benachrichtigungen von ${title} bekommen. Welche das sind, können ` +
    'Sie in Ihrem Profil einstellen:',
  en: (title) =>
    `You are receiving this e-mail because you get notifications from ${title}. You can choose which ones ` +
    'in your profile:',
}
const reasonOf = ({ language, title, origin }: Around) => ({
  text: WHY[language](title),
  link: `${origin}/profile/index`,
})

export function noticeLetter({ content, link }: Notice, around: Around): Letter {
  const { language, name, title } = around
  const { heading, sentence, button: label } = SAID[language](content)
  return {
    language,
    subject: `${upper(heading)} – ${title}`,
    heading: upper(heading),
    blocks: [
      greeting(language, name),
      paragraph(oneLine(sentence)),
      button(label, link),
      closing(language, title),
    ],
    reason: reasonOf(around),
  }
}

const SEVERAL: Words<{
  heading: (count: number) => string
  lead: string
  button: (title: string) => string
}> = {
  de: {
    heading: (count) => `${count} Benachrichtigungen`,
    lead: 'es gibt Neues für Sie:',
    button: (title) => `${title} öffnen`,
  },
  en: {
    heading: (count) => `${count} notifications`,
    lead: 'Here is what is new for you:',
    button: (title) => `Open ${title}`,
  },
}

/** Several notices to one person in one mail. */
export function digestLetter(notices: readonly Notice[], around: Around): Letter {
  const { language, name, title, origin } = around
  const { heading, lead, button: label } = SEVERAL[language]
  return {
    language,
    subject: `${heading(notices.length)} – ${title}`,
    heading: heading(notices.length),
    blocks: [
      greeting(language, name),
      paragraph(lead),
      {
        kind: 'items',
        items: notices.map(({ content, link }) => ({ text: upper(SAID[language](content).sentence), link })),
      },
      button(label(title), `${origin}/`),
      closing(language, title),
    ],
    reason: reasonOf(around),
  }
}

const CONTACT: Words<{
  heading: string
  before: (title: string) => string
  button: string
  after: (title: string) => readonly string[]
}> = {
  de: {
    heading: 'Bitte bestätigen Sie Ihre Kontaktadresse',
    before: (title) =>
      `diese Adresse wurde bei ${title} als Ihre Kontaktadresse eingetragen. Um sie zu bestätigen, öffnen Sie ` +
      'bitte den Link und melden Sie sich an. Danach schicken wir Ihre Nachrichten an diese Adresse.',
    button: 'Adresse bestätigen',
    after: (title) => [
      'Der Link ist 24 Stunden gültig.',
      `Sie kennen ${title} nicht? Dann müssen Sie nichts tun: Ohne Ihre Bestätigung schicken wir keine ` +
        'Nachrichten an diese Adresse.',
    ],
  },
  en: {
    heading: 'Please confirm your contact address',
    before: (title) =>
      `This address was entered as your contact address for ${title}. To confirm it, please open the link and ` +
      'sign in. From then on, we will send your messages to this address.',
    button: 'Confirm the address',
    after: (title) => [
      'The link is valid for 24 hours.',
      `If you do not know ${title}, you can ignore this e-mail. Without your confirmation, we will not send ` +
        'any messages to this address.',
    ],
  },
}

/**
 * To a new contact address: not a notice, so it does not say where notices are switched off. Nobody has confirmed
 * the address, so the letter contains nothing that a user typed, not even their name.
 */
export function contactLetter({
  language,
  link,
  title,
}: Pick<Around, 'language' | 'title'> & { readonly link: string }): Letter {
  const { heading, before, button: label, after } = CONTACT[language]
  return {
    language,
    subject: `${heading} – ${title}`,
    heading,
    blocks: [
      greeting(language),
      paragraph(before(title)),
      button(label, link),
      ...after(title).map(paragraph),
      closing(language, title),
    ],
  }
}
