// Who may be offered a subscription at all; upsell.ts has the rest, which is loaded for them alone.
import { hidesAboPrompt } from '#domain/roles.ts'
import type { Session } from '../data/session.ts'

/** A subscription belongs to a released headquarters. */
export const subscribable = (hqs: Session['hqs']) => hqs.filter(({ fb_enabled }) => fb_enabled)

/** False if the roles alone rule out an offer; subscriptions then need not be loaded. */
export const mayBeOffered = ({ roles, hqs }: Pick<Session, 'roles' | 'hqs'>): boolean =>
  subscribable(hqs).length > 0 && !hidesAboPrompt(roles)
