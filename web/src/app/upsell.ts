// Who is offered a subscription: people with a headquarters that has none running. Decided by the first role, as the specification has it.
import type { Abo } from '#contract/abo.ts'
import { hidesAboPrompt, isFbAdmin } from '#domain/roles.ts'
import type { Session } from '../data/session.ts'

export interface Upsell {
  /** "Wechseln Sie jetzt zu" in front of the button. */
  readonly lead: boolean
}

/** Roles alone say that nothing is offered; then nothing has to be asked. */
export const mayBeOffered = ({ roles, hqs }: Pick<Session, 'roles' | 'hqs'>): boolean =>
  hqs.length > 0 && !hidesAboPrompt(roles)

/** A cancelled subscription runs to its end. */
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
