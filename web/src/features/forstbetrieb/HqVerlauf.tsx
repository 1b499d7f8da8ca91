// Everything that happened to a headquarters, in one list.
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { VerlaufList } from '../../record/VerlaufList.tsx'
import { hqVerlauf, peopleNames } from './forstbetrieb.data.ts'
import { hqAction, hqWords, peopleIn } from './hq-words.ts'

const NOBODY: ReadonlyMap<number, string> = new Map()

export function HqVerlauf({ id }: { id: string }) {
  const query = hqVerlauf(id)
  const { data } = useInfiniteQuery(query)
  const ids = peopleIn(data?.pages.flatMap(({ rows }) => rows) ?? [])
  const names = useQuery(peopleNames(ids)).data ?? NOBODY
  return <VerlaufList query={query} words={() => hqWords(names)} heading={hqAction} />
}
