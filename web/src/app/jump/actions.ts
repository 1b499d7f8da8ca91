// Actions of the jump-to search: "Rechnung schreiben für …", "Kunde anlegen". A verb offers them first, with a
// name behind it for that record; a customer that was found offers the usual ones last.
import type { Hit } from '#contract/search.ts'
import { hasOneOf, type Role } from '#domain/roles.ts'
import type { IconName } from '../../ui/Icon.tsx'
import { t } from '../../ui/text.ts'
import { ADDRESSES, isPermitted } from '../routes.ts'
import { rankOf } from './rank.ts'

/** A place to go to, as the search lists it. */
export interface ActionGoal {
  readonly art: 'aktion'
  readonly href: string
  readonly title: string
  readonly detail: string
  readonly icon: IconName
}

/** The route that must be permitted, for whom of those who may open it, and where the action begins there. */
interface Way {
  readonly line: string
  readonly roles?: readonly Role[]
  readonly href: string
  /** What is still to be chosen there. */
  readonly detail?: () => string
}
/** The same for a record with a name: "Rechnung schreiben für Müller". */
interface Naming {
  /** First words that mean it, in either language. */
  readonly words: readonly string[]
  /** Offered for a customer that was found, without any verb. */
  readonly unasked?: boolean
  readonly title: (name: string) => string
  readonly hrefs: Partial<Readonly<Record<Hit['art'], (id: number) => string>>>
}
interface Action {
  readonly icon: IconName
  readonly title: () => string
  /** Further words that find it, in both languages, whichever one the person has chosen. */
  readonly words: string
  /** The best one first. */
  readonly ways: readonly Way[]
  readonly naming?: Naming
}

const INVOICES = '/buchhaltung/rechnungen?stand=offen,teilbezahlt,ueberfaellig'

const ACTIONS: readonly Action[] = [
  {
    icon: 'euro',
    title: () => t('Rechnung schreiben'),
    words: 'neue neu anlegen erstellen write create new invoice bill',
    ways: [
      {
        line: '/buchhaltung/rechnungen/rechnung/new/$new_id',
        href: '/buchhaltung/rechnungen/rechnung/new/0',
      },
    ],
    naming: {
      words: ['rechnung', 'invoice'],
      unasked: true,
      title: (name) => t('Rechnung schreiben für {name}', { name }),
      hrefs: { kunde: (id) => `/buchhaltung/rechnungen/rechnung/new/${id}` },
    },
  },
  {
    icon: 'file',
    title: () => t('Angebot schreiben'),
    words: 'neues neu anlegen erstellen write create new offer quote',
    ways: [
      { line: '/buchhaltung/angebote/angebot/new/$new_id', href: '/buchhaltung/angebote/angebot/new/0' },
    ],
    naming: {
      words: ['angebot', 'offer', 'quote'],
      unasked: true,
      title: (name) => t('Angebot schreiben für {name}', { name }),
      hrefs: { kunde: (id) => `/buchhaltung/angebote/angebot/new/${id}` },
    },
  },
  {
    icon: 'euro',
    title: () => t('Zahlung eintragen'),
    words: 'neue neu erfassen buchen zahlungseingang enter record add new payment',
    ways: [
      {
        line: '/buchhaltung/rechnungen',
        roles: ['apus_admin'],
        href: INVOICES,
        detail: () => t('Zuerst die Rechnung wählen'),
      },
    ],
    naming: {
      words: ['zahlung', 'payment'],
      title: (name) => t('Zahlung eintragen: {name}', { name }),
      hrefs: {
        rechnung: (id) => `/buchhaltung/rechnungen/rechnung/${id}?zahlung=neu`,
        kunde: (id) => `${INVOICES}&kunde=${id}`,
      },
    },
  },
  {
    icon: 'mail',
    title: () => t('Mahnungen schreiben'),
    words: 'mahnung mahnen erstellen senden write send reminder reminders dunning',
    ways: [
      { line: '/buchhaltung/mahnungen', roles: ['apus_admin'], href: '/buchhaltung/mahnungen?lage=dran' },
    ],
    naming: {
      words: ['mahnung', 'mahnungen', 'reminder'],
      title: (name) => t('Mahnungen schreiben: {name}', { name }),
      hrefs: { kunde: (id) => `/buchhaltung/mahnungen?kunde=${id}` },
    },
  },
  {
    icon: 'people',
    title: () => t('Kunde anlegen'),
    words: 'neuer neuen neu kunden erstellen create add new customer client',
    ways: [
      { line: '/kunden/index', href: '/kunden/index?neu=kunde' },
      {
        line: '/member-management/client',
        roles: ['apus_admin'],
        href: '/member-management/client?neu=kunde',
      },
    ],
  },
  {
    icon: 'person',
    title: () => t('Person einladen'),
    words: 'nutzer benutzer neue neuen neu anlegen hinzufügen invite add create new person user',
    ways: [
      { line: '/nutzer/index', href: '/nutzer/index?neu=person' },
      { line: '/members/index', href: '/members/index?neu=person' },
      {
        line: '/member-management/client',
        roles: ['apus_admin'],
        href: '/member-management/client',
        detail: () => t('Zuerst den Kunden wählen'),
      },
    ],
  },
  {
    icon: 'map',
    title: () => t('Plan anlegen'),
    words: 'karte neue neuer neuen neu hochladen create add new upload plan map',
    ways: [{ line: '/karten/index', roles: ['apus_team', 'apus_admin'], href: '/karten/index?neu=plan' }],
  },
]

/** Verbs, with which somebody wants to do something and not to find it. */
const VERBS = new Set(
  (
    'neu neue neuer neues neuen schreiben erstellen anlegen eintragen erfassen buchen einladen hinzufügen ' +
    'hochladen mahnen senden write create new enter record add invite send upload'
  ).split(' '),
)
/** Words around the verb that carry no meaning. */
const FILLERS = new Set('für fuer von an der die das den dem einen eine ein for to of a the'.split(' '))
const isAside = (word: string) => VERBS.has(word.toLowerCase()) || FILLERS.has(word.toLowerCase())
const splitUp = (query: string) => query.trim().split(/\s+/)

export interface Command {
  /** What was typed without the verb: the name to search for. */
  readonly rest: string
  readonly action: Action & { readonly naming: Naming }
}

/** The verb at the beginning of what was typed; null without one, or without a name behind it. */
export function commandOf(query: string, roles: readonly Role[]): Command | null {
  const words = splitUp(query)
  const verb = words.findIndex((word) => !isAside(word))
  const action = ACTIONS.filter(isNaming).find(({ naming }) =>
    naming.words.includes(words[verb]?.toLowerCase() ?? ''),
  )
  if (action === undefined || wayOf(action, roles) === undefined) return null
  const name = words.slice(verb + 1)
  while (name.length > 0 && isAside(name[0]!)) name.shift()
  return name.length === 0 ? null : { rest: name.join(' '), action }
}
const isNaming = (action: Action): action is Command['action'] => action.naming !== undefined

const wayOf = ({ ways }: Action, roles: readonly Role[]): Way | undefined =>
  ways.find(
    ({ line, roles: own }) =>
      (own === undefined || hasOneOf(roles, own)) &&
      ADDRESSES.some(({ path, ...route }) => path === line && isPermitted({ path, ...route }, roles)),
  )

/** With a verb: that action for the best three records. Otherwise the usual ones for the best customer. */
export function actionsFor(
  hits: readonly Hit[],
  command: Command | null,
  roles: readonly Role[],
): readonly ActionGoal[] {
  const offered =
    command === null
      ? ACTIONS.filter(isNaming).filter((one) => one.naming.unasked && wayOf(one, roles) !== undefined)
      : [command.action]
  const found = offered[0] === undefined ? [] : hits.filter(({ art }) => art in offered[0]!.naming.hrefs)
  return found.slice(0, command === null ? 1 : 3).flatMap(({ art, id, titel, zusatz }) =>
    offered.map(
      ({ naming, icon }): ActionGoal => ({
        art: 'aktion',
        href: naming.hrefs[art]!(id),
        title: naming.title(titel),
        detail: zusatz ?? '',
        icon,
      }),
    ),
  )
}

/** Actions themselves, without a record's name, by their title and other words for it. */
export function findActions(
  query: string,
  roles: readonly Role[],
): { readonly goals: readonly ActionGoal[]; readonly commanded: boolean } {
  const words = splitUp(query).filter((word) => !FILLERS.has(word.toLowerCase()))
  const found = ACTIONS.flatMap((action) => {
    const way = wayOf(action, roles)
    const rank = rankOf(words.join(' '), action.title(), action.words)
    return way === undefined || rank === undefined || rank > 3 ? [] : [{ action, way, rank }]
  }).toSorted((a, b) => a.rank - b.rank)
  return {
    goals: found.map(
      ({ action: { icon, title }, way: { href, detail } }): ActionGoal => ({
        art: 'aktion',
        href,
        title: title(),
        detail: detail?.() ?? '',
        icon,
      }),
    ),
    commanded: found.length > 0 && words.length > 1 && words.some((word) => VERBS.has(word.toLowerCase())),
  }
}
