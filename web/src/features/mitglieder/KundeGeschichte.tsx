// History of a customer: its own fields, and who joined, left or got another role.
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type { Verlauf } from '#contract/verlauf.ts'
import { KUNDE_WORDS } from '../../record/kunde/kunde-kind.ts'
import { kundeGeschichte } from '../../record/kunde/kunde-record.data.ts'
import { VerlaufList } from '../../record/VerlaufList.tsx'
import { actionName } from '../../record/verlauf-lines.ts'
import { t } from '../../ui/text.ts'
import { joinedText, LINK_WORDS, linkOf, linksIn } from './geschichte.ts'
import { peopleNames } from './geschichte.data.ts'

export function KundeGeschichte({ id }: { id: string }) {
  const query = kundeGeschichte(id)
  const entries = useInfiniteQuery(query).data?.pages.flatMap(({ rows }) => rows) ?? []
  const ids = [...new Set(linksIn(entries).map(({ user_id }) => user_id))].toSorted((a, b) => a - b)
  const { data: names } = useQuery(peopleNames(ids))
  const heading = (entry: Verlauf): string => {
    if (entry.tabelle !== 'benutzer_kunde') return actionName(entry.aktion)
    const { user_id } = linkOf(entry)
    return joinedText(entry.aktion, names?.get(user_id) ?? t('Person {id}', { id: user_id }))
  }
  return <VerlaufList query={query} words={({ tabelle }) => (tabelle === 'benutzer_kunde' ? LINK_WORDS : KUNDE_WORDS)} heading={heading} />
}
