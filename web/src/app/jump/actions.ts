// Actions of the jump-to search: "Rechnung schreiben für …". A verb before a name offers them first; a
// customer that was found offers them last.
import type { Hit } from '#contract/search.ts'
import type { Role } from '#domain/roles.ts'
import type { IconName } from '../../ui/Icon.tsx'
import { t } from '../../ui/text.ts'
import { ADDRESSES, isPermitted } from '../routes.ts'

/** A place to go to, as the search lists it. */
export interface ActionGoal {
  readonly art: 'aktion'
  readonly href: string
  readonly title: string
  readonly detail: string
  readonly icon: IconName
}

interface Action {
  /** First words that mean it, in either language. */
  readonly words: readonly string[]
  /** The route that must be permitted. */
  readonly line: string
  readonly icon: IconName
  readonly title: (name: string) => string
  readonly href: (client_id: number) => string
}

const ACTIONS: readonly Action[] = [
  {
    words: ['rechnung', 'invoice'],
    line: '/buchhaltung/rechnungen/rechnung/new/$new_id',
    icon: 'euro',
    title: (name) => t('Rechnung schreiben für {name}', { name }),
    href: (client_id) => `/buchhaltung/rechnungen/rechnung/new/${client_id}`,
  },
  {
    words: ['angebot', 'offer', 'quote'],
    line: '/buchhaltung/angebote/angebot/new/$new_id',
    icon: 'file',
    title: (name) => t('Angebot schreiben für {name}', { name }),
    href: (client_id) => `/buchhaltung/angebote/angebot/new/${client_id}`,
  },
]

/** Words around the verb that carry no meaning. */
const FILLERS = new Set(
  'neu neue neues neuen schreiben erstellen anlegen für fuer an write create new for an a'.split(' '),
)

export interface Command {
  /** What was typed without the verb: the name to search for. */
  readonly rest: string
  readonly action: Action
}

/** The verb at the beginning of what was typed; null without one, or without a name behind it. */
export function commandOf(query: string, roles: readonly Role[]): Command | null {
  const words = query.trim().split(/\s+/)
  const verb = words.findIndex((word) => !FILLERS.has(word.toLowerCase()))
  const action = ACTIONS.find(({ words: own }) => own.includes(words[verb]?.toLowerCase() ?? ''))
  if (action === undefined || !mayDo(action, roles)) return null
  const name = words.slice(verb + 1)
  while (name.length > 0 && FILLERS.has(name[0]!.toLowerCase())) name.shift()
  return name.length === 0 ? null : { rest: name.join(' '), action }
}

const mayDo = ({ line }: Action, roles: readonly Role[]): boolean =>
  ADDRESSES.some(({ path, ...route }) => path === line && isPermitted({ path, ...route }, roles))

/** With a verb: that action for the best three customers. Otherwise every action for the best one. */
export function actionsFor(
  hits: readonly Hit[],
  command: Command | null,
  roles: readonly Role[],
): readonly ActionGoal[] {
  const kunden = hits.filter(({ art }) => art === 'kunde')
  const offered = command === null ? ACTIONS.filter((one) => mayDo(one, roles)) : [command.action]
  return kunden.slice(0, command === null ? 1 : 3).flatMap(({ id, titel, zusatz }) =>
    offered.map(
      ({ title, href, icon }): ActionGoal => ({
        art: 'aktion',
        href: href(id),
        title: title(titel),
        detail: zusatz ?? '',
        icon,
      }),
    ),
  )
}
