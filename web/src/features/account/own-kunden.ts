// The customers that the signed-in person belongs to, and what the link to each one allows.
import { useQuery } from '@tanstack/react-query'
import type { Kunde } from '#contract/kunde.ts'
import { useSession } from '../../data/session.ts'
import { ownKunden } from '../../record/kunde/kunde-record.data.ts'
import type { Role } from '../../members/member-words.ts'

export interface OwnKunde {
  readonly kunde: Kunde
  /** Null if the customer is visible through another right than a link. */
  readonly rolle: Role | null
}
const isRole = (text: string | undefined): text is Role =>
  text === 'admin' || text === 'kundenadmin' || text === 'nutzer'

/**
 * Whether the user may change the contact and manage people: the role of the link counts
 * (docs/decisions/roles.md).
 */
export const isManaging = ({ rolle }: Pick<OwnKunde, 'rolle'>): boolean =>
  rolle === 'admin' || rolle === 'kundenadmin'

export function withRole(
  rows: readonly Kunde[],
  links: readonly { client_id: number; rolle: string }[],
): OwnKunde[] {
  const roles = new Map(links.map(({ client_id, rolle }) => [client_id, rolle]))
  return rows.map((kunde) => {
    const role = roles.get(kunde.client_id)
    return { kunde, rolle: isRole(role) ? role : null }
  })
}

/** The customer named in the address, or else the only one there is. */
export function chosenOf(own: readonly OwnKunde[], asked: string | undefined): OwnKunde | undefined {
  return own.length === 1 && asked === undefined
    ? own[0]
    : own.find(({ kunde }) => String(kunde.client_id) === asked)
}

export function useOwnKunden() {
  const { user } = useSession()
  const query = useQuery(ownKunden)
  return {
    query,
    own: query.data ? withRole(query.data, user?.kunden ?? []) : [],
    user_id: user?.user_id ?? 0,
  }
}
