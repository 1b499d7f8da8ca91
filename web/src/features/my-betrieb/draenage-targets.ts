// Which survey a customer's home page shows, and where its bars lead.
import type { UserData } from '#contract/benutzer.ts'
import type { ObjectKind } from '#contract/kataster-tile.ts'
import { type ManyFilter, valueFrom } from '../../list/filter-kinds.ts'
import { otherKinds } from '../../record/kataster/kataster-words.ts'

/** The customers whose drainage this person sees; a mere admin of the forest half has none. */
export const myKunden = (user: Pick<UserData, 'kunden'> | null): UserData['kunden'] =>
  (user?.kunden ?? []).filter(({ rolle }) => rolle !== 'kundenadmin')

const FILTER: ManyFilter<never> = { kind: 'many', key: '', label: () => '', options: () => [], open: true }

/** The survey page filtered to what a bar shows: the same address that clicking the bar there produces. */
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
