// For a change of the provider that signs people in: persons stay bound to their accounts there until an
// operator says that it was replaced. Then each is bound again at the next sign-in, by the verified
// address (accounts.link_identity).
import type { OwnerConnection } from '#server/database/database.ts'
import type { Log } from '#server/log.ts'
import type { AsOwner } from './as-owner.ts'
import { OperatorFault } from './operator-fault.ts'

export interface Binding {
  readonly issuer: string
  readonly persons: number
}

/** How many persons are bound to accounts of which provider, largest first. As the database's owner. */
export async function bindings(owner: OwnerConnection): Promise<readonly Binding[]> {
  const { rows } = await owner.query<Binding>(
    `select iss as issuer, count(*)::integer as persons
      from accounts.identitaet where iss <> 'geloescht'
      group by iss order by persons desc, iss`,
  )
  return rows
}

/**
 * Unbinds persons from the accounts of a provider that is no longer used; returns how many. Refuses the one
 * in use, and one without bound persons. As the database's owner.
 */
export async function rebind(
  owner: OwnerConnection,
  { former, issuer }: { readonly former: string; readonly issuer: string },
): Promise<number> {
  const bound = await bindings(owner)
  if (former === issuer)
    throw new OperatorFault(
      `${issuer} ist der Anmeldedienst, der eingestellt ist: Seine Konten bleiben, wie sie sind. ` +
        `Bitte den bisherigen nennen.\n${listed(bound, issuer)}`,
    )
  const found = bound.find((binding) => binding.issuer === former)
  if (found === undefined)
    throw new OperatorFault(`An ${former} ist niemand gebunden.\n${listed(bound, issuer)}`)
  await owner.query('delete from accounts.identitaet where iss = $1', [former])
  return found.persons
}

/** Logged at the start: persons bound to another provider can sign in but see nothing. */
export async function warnOfFormerProvider(asOwner: AsOwner, issuer: string, log: Log): Promise<void> {
  for (const former of await asOwner(bindings))
    if (former.issuer !== issuer)
      log.warn('persons are bound to accounts of another sign-in and see nothing: npm run rebind', {
        persons: former.persons,
        former: former.issuer,
        issuer,
      })
}

/** As text for the operator. */
export function listed(bound: readonly Binding[], issuer: string): string {
  if (bound.length === 0) return 'Noch ist niemand an einen Anmeldedienst gebunden.'
  const lines = bound.map(
    (binding) =>
      `  ${binding.issuer}${binding.issuer === issuer ? ' (eingestellt)' : ''}: ` +
      `${binding.persons} ${binding.persons === 1 ? 'Person' : 'Personen'}`,
  )
  return ['Gebunden sind an', ...lines].join('\n')
}
