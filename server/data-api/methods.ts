// The methods that a target supports, for OPTIONS and for refusals.
import type { Relation, Routine } from './catalogue.ts'

/** By what its rows are made of, regardless of rights. */
export function methodsOf({ writes, primaryKey }: Relation): readonly string[] {
  return [
    'OPTIONS',
    'GET',
    'HEAD',
    ...(writes.has('insert') ? ['POST'] : []),
    ...(writes.has('insert') && writes.has('update') && primaryKey.length > 0 ? ['PUT'] : []),
    ...(writes.has('update') ? ['PATCH'] : []),
    ...(writes.has('delete') ? ['DELETE'] : []),
  ]
}

/** Functions of one name are told apart by their arguments, so a method of any of them is supported. */
export const methodsOfRoutines = (routines: readonly Routine[]): readonly string[] =>
  routines.every(({ volatile }) => volatile) ? ['OPTIONS', 'POST'] : ['OPTIONS', 'GET', 'HEAD', 'POST']
