// Who is shown their own subscriptions with the buttons to start and cancel them. The database decides
// (abo.may_subscribe); this chooses between two views of one page.
import { hasOneOf, type Role } from '#domain/roles.ts'
import type { Session } from '../data/session.ts'

const BUYERS: readonly Role[] = ['ogf_standard', 'ogf_fb_admin']

/** The provider's admins buy only for headquarters they are linked to themselves. */
export const mayBuyAbo = ({ roles, hqs }: Pick<Session, 'roles' | 'hqs'>): boolean =>
  hasOneOf(roles, BUYERS) && (hqs.length > 0 || !hasOneOf(roles, ['ogf_admin', 'kundenadmin']))
