// History of a customer: its own fields, and who joined, left or changed role.
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type { HistoryEntry } from '#contract/history.ts'
import { KUNDE_WORDS } from '../../record/kunde/kunde-kind.ts'
import { kundeHistoryWithPeople } from '../../record/kunde/kunde-record.data.ts'
import { HistoryList } from '../../record/HistoryList.tsx'
import { actionName } from '../../record/history-lines.ts'
import { t } from '../../ui/text.ts'
import { joinedText, LINK_WORDS, linkOf, linksIn } from './history.ts'
import { peopleNames } from './history.data.ts'

export function KundeHistory({ id }: { id: string }) {
  const query = kundeHistoryWithPeople(id)
  const entries = useInfiniteQuery(query).data?.pages.flatMap(({ rows }) => rows) ?? []
  const ids = [...new Set(linksIn(entries).map(({ user_id }) => user_id))].toSorted((a, b) => a - b)
  const { data: names } = useQuery(peopleNames(ids))
  const heading = (entry: HistoryEntry): string => {
    if (entry.tabelle !== 'benutzer_kunde') return actionName(entry.aktion)
    const { user_id } = linkOf(entry)
    return joinedText(entry.aktion, names?.get(user_id) ?? t('Person {id}', { id: user_id }))
  }
  return (
    <HistoryList
      query={query}
      words={({ tabelle }) => (tabelle === 'benutzer_kunde' ? LINK_WORDS : KUNDE_WORDS)}
      heading={heading}
    />
  )
}
