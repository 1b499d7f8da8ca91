// Which base roles somebody may give and take. The same rule as rechte.may_give; the database decides.
import { hasOneOf, SYSTEM_STATUS } from '#domain/rollen.ts'

export function mayGive(roles: readonly string[], wanted: string): boolean {
  if (roles.includes('admin')) return true
  if (wanted === 'admin') return false
  if (wanted === 'ogf_admin' || wanted === 'ogf_team') return roles.includes('ogf_admin')
  if (wanted === 'apus_admin' || wanted === 'apus_team') return roles.includes('apus_admin')
  return hasOneOf(roles, ['ogf_admin', 'apus_admin'])
}
/** Empty where the present role may not be taken. */
export const statusToGive = (roles: readonly string[], present: string): readonly string[] =>
  mayGive(roles, present) ? SYSTEM_STATUS.filter((status) => mayGive(roles, status)) : []
