// Who is offered a subscription: people with a headquarters that has none running. The first role decides, as
// specified.
import type { Abo } from '#contract/abo.ts'
import { hidesAboPrompt, isFbAdmin } from '#domain/roles.ts'
import type { Session } from '../data/session.ts'

export interface Upsell {
  /** Whether the button is preceded by "Wechseln Sie jetzt zu". */
  readonly lead: boolean
}

/** False if the roles alone rule out an offer; subscriptions then need not be loaded. */
export const mayBeOffered = ({ roles, hqs }: Pick<Session, 'roles' | 'hqs'>): boolean =>
  hqs.length > 0 && !hidesAboPrompt(roles)

/** Decides whether to show the offer. A cancelled subscription counts until it ends. */
export function showUpsell(
  session: Pick<Session, 'roles' | 'hqs'>,
  abos: readonly Pick<Abo, 'hqid' | 'zustand'>[],
): Upsell | null {
  if (!mayBeOffered(session)) return null
  const running = new Set(abos.flatMap(({ hqid, zustand }) => (zustand === 'beendet' ? [] : [hqid])))
  if (session.hqs.every(({ idHQ }) => running.has(idHQ))) return null
  const { roles } = session
  return { lead: !isFbAdmin(roles) && !roles.includes('ogf_fb_admin') && !roles.includes('admin') }
}
