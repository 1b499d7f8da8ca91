// The customers that the signed-in person belongs to, and what their link to each allows.
import { useQuery } from '@tanstack/react-query'
import type { Kunde } from '#contract/kunde.ts'
import { useSession } from '../../data/session.ts'
import { eigeneKunden } from '../../record/kunde/kunde-record.data.ts'
import type { Rolle } from '../../mitglieder/mitglied-words.ts'

export interface EigenerKunde {
  readonly kunde: Kunde
  /** Null: seen by another right than a link of one's own. */
  readonly rolle: Rolle | null
}
const isRolle = (text: string | undefined): text is Rolle => text === 'admin' || text === 'kundenadmin' || text === 'nutzer'

/** Who may change the contact and manage people: the link's own role counts (docs/decisions/rollen.md). */
export const isManaging = ({ rolle }: Pick<EigenerKunde, 'rolle'>): boolean => rolle === 'admin' || rolle === 'kundenadmin'

export function withRolle(rows: readonly Kunde[], links: readonly { client_id: number; rolle: string }[]): EigenerKunde[] {
  const rollen = new Map(links.map(({ client_id, rolle }) => [client_id, rolle]))
  return rows.map((kunde) => {
    const rolle = rollen.get(kunde.client_id)
    return { kunde, rolle: isRolle(rolle) ? rolle : null }
  })
}

/** The one that the address names, or the only one there is. */
export function chosenOf(own: readonly EigenerKunde[], asked: string | undefined): EigenerKunde | undefined {
  return own.length === 1 && asked === undefined ? own[0] : own.find(({ kunde }) => String(kunde.client_id) === asked)
}

export function useEigeneKunden() {
  const { user } = useSession()
  const query = useQuery(eigeneKunden)
  return { query, own: query.data ? withRolle(query.data, user?.kunden ?? []) : [], user_id: user?.user_id ?? 0 }
}
