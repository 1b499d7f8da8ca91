// All events of a headquarters in one list.
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { HistoryList } from '../../record/HistoryList.tsx'
import { hqHistory, peopleNames } from './forstbetrieb.data.ts'
import { hqAction, hqWords, peopleIn } from './hq-words.ts'

const NOBODY: ReadonlyMap<number, string> = new Map()

export function HqHistory({ id }: { id: string }) {
  const query = hqHistory(id)
  const { data } = useInfiniteQuery(query)
  const ids = peopleIn(data?.pages.flatMap(({ rows }) => rows) ?? [])
  const names = useQuery(peopleNames(ids)).data ?? NOBODY
  return <HistoryList query={query} words={() => hqWords(names)} heading={hqAction} />
}
