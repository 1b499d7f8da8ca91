// Who is offered a subscription: people with a headquarters that has none running. The first role decides, as
// specified.
import type { Abo } from '#contract/abo.ts'
import { isFbAdmin, type Role } from '#domain/roles.ts'
import type { Session } from '../data/session.ts'
import { mayBeOffered, subscribable } from './may-be-offered.ts'

export interface Upsell {
  /** Whether the button is preceded by "Wechseln Sie jetzt zu". */
  readonly lead: boolean
  /** The headquarters that it is offered for. */
  readonly idHQ: number
}

/** They decide for others, or sell it themselves: nobody is talked into it. */
const ADMINS: readonly Role[] = ['ogf_fb_admin', 'ogf_admin', 'apus_admin', 'appuser_admin', 'admin']

/** Decides whether to show the offer. A cancelled subscription counts until it ends. */
export function showUpsell(
  session: Pick<Session, 'roles' | 'hqs'>,
  abos: readonly Pick<Abo, 'hqid' | 'zustand'>[],
): Upsell | null {
  if (!mayBeOffered(session)) return null
  const running = new Set(abos.flatMap(({ hqid, zustand }) => (zustand === 'beendet' ? [] : [hqid])))
  const without = subscribable(session.hqs).find(({ idHQ }) => !running.has(idHQ))
  if (without === undefined) return null
  const { roles } = session
  return { lead: !isFbAdmin(roles) && !ADMINS.some((role) => roles.includes(role)), idHQ: without.idHQ }
}
