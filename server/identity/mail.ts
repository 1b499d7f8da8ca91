// What the mails of the identity provider say: links and warnings.
import { button, type Language, type Letter, paragraph } from '#server/mail/letter.ts'
import { closing, greeting, momentText, type Words } from '#server/mail/words.ts'

export type PostKind = 'einladung' | 'passwort' | 'sperre' | 'passwort_neu' | 'faktor_weg'

export interface Around {
  readonly language: Language
  /** Of the application. */
  readonly title: string
  readonly publicOrigin: string
}
export interface WithLink extends Around {
  readonly link: string
  readonly expires: Date
}

interface Said {
  readonly subject: string
  /** Before the button. */
  readonly before: readonly string[]
  readonly button: string
  readonly after: readonly string[]
}

function letterOf(
  { language, title }: Around,
  { subject, before, button: label, after }: Said,
  link: string,
) {
  return {
    language,
    subject,
    blocks: [
      greeting(language),
      ...before.map(paragraph),
      button(label, link),
      ...after.map(paragraph),
      closing(language, title),
    ],
  } satisfies Letter
}

const INVITATION: Words<(title: string, until: string) => Said> = {
  de: (title, until) => ({
    subject: `Ihr Zugang zu ${title}`,
    before: [
      `für Sie wurde ein Zugang zu ${title} eingerichtet. Es fehlt nur noch Ihr Passwort, das Sie hier festlegen.`,
    ],
    button: 'Passwort festlegen',
    after: [
      `Der Link ist bis ${until} gültig und kann nur einmal benutzt werden. Ist er abgelaufen, bitten Sie ` +
        'einfach die Person, die Sie eingeladen hat, um einen neuen.',
    ],
  }),
  en: (title, until) => ({
    subject: `Your access to ${title}`,
    before: [`You have been given access to ${title}. All you need to do now is choose a password.`],
    button: 'Choose a password',
    after: [
      `The link can be used once and is valid until ${until}. If it has expired, just ask the person who ` +
        'invited you for a new one.',
    ],
  }),
}

const RESET: Words<(title: string, until: string) => Said> = {
  de: (title, until) => ({
    subject: `Neues Passwort für ${title}`,
    before: [
      `für Ihr Konto bei ${title} wurde ein neues Passwort angefordert. Hier können Sie es festlegen.`,
    ],
    button: 'Neues Passwort festlegen',
    after: [
      `Der Link ist bis ${until} gültig und kann nur einmal benutzt werden.`,
      'Sie haben kein neues Passwort angefordert? Dann müssen Sie nichts tun: Ihr bisheriges Passwort gilt ' +
        'weiter.',
    ],
  }),
  en: (title, until) => ({
    subject: `New password for ${title}`,
    before: [`A new password was requested for your account with ${title}. You can choose it here.`],
    button: 'Choose a new password',
    after: [
      `The link can be used once and is valid until ${until}.`,
      'If you did not ask for a new password, you can ignore this e-mail. Your current password stays valid.',
    ],
  }),
}

const LOCK: Words<(title: string) => Said> = {
  de: (title) => ({
    subject: `Mehrere Fehlversuche bei der Anmeldung bei ${title}`,
    before: [
      `jemand wollte sich bei ${title} mit Ihrer E-Mail-Adresse anmelden und hat dabei mehrmals ein falsches ` +
        'Passwort eingegeben. Zur Sicherheit ist die Anmeldung deshalb für kurze Zeit gesperrt.',
      'Waren Sie das? Dann warten Sie einen Moment und versuchen Sie es noch einmal. Wenn Sie Ihr Passwort ' +
        'nicht mehr wissen, fordern Sie hier ein neues an.',
    ],
    button: 'Neues Passwort anfordern',
    after: [
      'Waren Sie es nicht, müssen Sie nichts tun: Ohne Ihr Passwort kommt niemand in Ihr Konto. Passiert das ' +
        'öfter, melden Sie sich bitte bei uns.',
    ],
  }),
  en: (title) => ({
    subject: `Failed attempts to sign in to ${title}`,
    before: [
      `Someone tried to sign in to ${title} with your e-mail address and entered a wrong password several ` +
        'times. As a precaution, sign-in is blocked for a short while.',
      'If it was you, wait a moment and try again. If you have forgotten your password, you can request a ' +
        'new one here.',
    ],
    button: 'Request a new password',
    after: [
      'If it was not you, you do not need to do anything: nobody can get into your account without your ' +
        'password. If it keeps happening, please contact us.',
    ],
  }),
}

const CHANGED: Words<(title: string) => Said> = {
  de: (title) => ({
    subject: `Ihr Passwort bei ${title} wurde geändert`,
    before: [
      `das Passwort Ihres Kontos bei ${title} wurde gerade geändert. Auf allen anderen Geräten wurden Sie ` +
        'abgemeldet. Wenn Sie das selbst waren, ist alles in Ordnung.',
      'Waren Sie es nicht? Dann fordern Sie bitte sofort ein neues Passwort an und melden Sie sich bei uns.',
    ],
    button: 'Neues Passwort anfordern',
    after: [],
  }),
  en: (title) => ({
    subject: `Your password for ${title} was changed`,
    before: [
      `The password of your account with ${title} has just been changed. You have been signed out on all other ` +
        'devices. If this was you, you do not need to do anything.',
      'If it was not you, please request a new password right away and contact us.',
    ],
    button: 'Request a new password',
    after: [],
  }),
}

const FACTOR: Words<(title: string) => Said> = {
  de: (title) => ({
    subject: `Zweiter Faktor bei ${title} entfernt`,
    before: [
      `bei Ihrem Konto bei ${title} hat jemand aus der Verwaltung den zweiten Faktor entfernt, zum Beispiel weil Ihr ` +
        'Telefon verloren ging. Sie wurden überall abgemeldet. Bitte richten Sie bei der nächsten Anmeldung einen ' +
        'neuen ein.',
      'Haben Sie nicht darum gebeten? Dann legen Sie bitte gleich ein neues Passwort fest und melden Sie sich bei uns.',
    ],
    button: 'Neues Passwort anfordern',
    after: [],
  }),
  en: (title) => ({
    subject: `Second factor for ${title} removed`,
    before: [
      `An administrator has removed the second factor of your account with ${title}, for example because your ` +
        'phone was lost. You have been signed out everywhere. Please set up a new one when you sign in next.',
      'If you did not ask for this, please choose a new password right away and contact us.',
    ],
    button: 'Request a new password',
    after: [],
  }),
}

const forgotten = ({ publicOrigin }: Around) => `${publicOrigin}/anmelden/vergessen`

export const invitation = (around: WithLink): Letter =>
  letterOf(
    around,
    INVITATION[around.language](around.title, momentText(around.language, around.expires)),
    around.link,
  )

export const passwordReset = (around: WithLink): Letter =>
  letterOf(
    around,
    RESET[around.language](around.title, momentText(around.language, around.expires)),
    around.link,
  )

export const lockWarning = (around: Around): Letter =>
  letterOf(around, LOCK[around.language](around.title), forgotten(around))

export const passwordChanged = (around: Around): Letter =>
  letterOf(around, CHANGED[around.language](around.title), forgotten(around))

export const factorRemoved = (around: Around): Letter =>
  letterOf(around, FACTOR[around.language](around.title), forgotten(around))
