// History of a person: their own record, and joining and leaving customers.
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type { HistoryEntry } from '#contract/history.ts'
import { HistoryList } from '../../record/HistoryList.tsx'
import { actionName } from '../../record/history-lines.ts'
import { t } from '../../ui/text.ts'
import { joinedKundeText, LINK_WORDS, linkOf, linksIn, PERSON_WORDS } from './history.ts'
import { kundenNames } from './history.data.ts'
import { type Person, personHistory } from './nutzer.data.ts'

export function NutzerHistory({ person }: { person: Person }) {
  const query = personHistory(person.user_id)
  const entries = useInfiniteQuery(query).data?.pages.flatMap(({ rows }) => rows) ?? []
  const ids = [...new Set(linksIn(entries).map(({ client_id }) => client_id))].toSorted((a, b) => a - b)
  const { data: names } = useQuery(kundenNames(ids))
  const heading = (entry: HistoryEntry): string => {
    if (entry.tabelle !== 'benutzer_kunde') return actionName(entry.aktion)
    const { client_id } = linkOf(entry)
    return joinedKundeText(entry.aktion, names?.get(client_id) ?? t('Kundennummer {id}', { id: client_id }))
  }
  return (
    <HistoryList
      query={query}
      words={({ tabelle }) => (tabelle === 'benutzer_kunde' ? LINK_WORDS : PERSON_WORDS)}
      heading={heading}
    />
  )
}
