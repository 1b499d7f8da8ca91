// Whose survey a customer's home page shows, and where its bars lead.
import type { UserData } from '#contract/benutzer.ts'
import type { ObjectKind } from '#contract/kataster-tile.ts'
import { type ManyFilter, valueFrom } from '../../list/filter-kinds.ts'
import { otherKinds } from '../../record/kataster/kataster-words.ts'

/** The customers whose drainage this person looks at; an admin of the forest half alone has none. */
export const myKunden = (user: Pick<UserData, 'kunden'> | null): UserData['kunden'] =>
  (user?.kunden ?? []).filter(({ rolle }) => rolle !== 'kundenadmin')

const FILTER: ManyFilter<never> = { kind: 'many', key: '', label: () => '', options: () => [], open: true }

/** The page of the survey, narrowed to what a bar tells: the same address as a press on that page's own bar leaves behind. */
export function katasterHref(
  kunde: number,
  { art, vermessen, erfq, qdt }: { art: ObjectKind; vermessen?: 'ja' | 'nein'; erfq?: string; qdt?: string },
): string {
  const query = new URLSearchParams({ kunde: String(kunde) })
  if (art !== 'draenage') query.set('art', art)
  if (vermessen !== undefined) query.set('vermessen', vermessen)
  if (erfq !== undefined) query.set('erfq', valueFrom(FILTER, [erfq]))
  if (qdt !== undefined) query.set('qdt', valueFrom(FILTER, [qdt]))
  query.set('aus', otherKinds(art))
  return `/kataster/index?${query}`
}
