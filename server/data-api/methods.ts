// The methods that a target supports, for OPTIONS and for refusals.
import type { Relation, Routine } from './catalogue.ts'

/** By what its rows are made of, regardless of rights. */
export function methodsOf(relation: Relation): readonly string[] {
  const { writes, primaryKey } = relation
  return [
    'OPTIONS',
    'GET',
    'HEAD',
    ...(writes.has('insert') ? ['POST'] : []),
    ...(takesPut(relation) && primaryKey.length > 0 ? ['PUT'] : []),
    ...(writes.has('update') ? ['PATCH'] : []),
    ...(writes.has('delete') ? ['DELETE'] : []),
  ]
}

/** PUT needs a key besides; without one it is refused for that. */
export const takesPut = ({ writes, replaces }: Relation): boolean =>
  replaces && writes.has('insert') && writes.has('update')

/** Functions of one name are distinguished by their arguments, so a method of any of them is supported. */
export const methodsOfRoutines = (routines: readonly Routine[]): readonly string[] =>
  routines.every(({ volatile }) => volatile) ? ['OPTIONS', 'POST'] : ['OPTIONS', 'GET', 'HEAD', 'POST']
