// Base maps that the operator lists, and the one that this person chose last.
import { queryOptions, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type Grundkarte, grundkarteWege } from '#contract/grundkarte.ts'
import { callGeneral } from '../data/client.ts'
import { wegOf } from './weg.ts'

export const grundkarten = queryOptions({
  queryKey: ['grundkarten'],
  queryFn: ({ signal }) => callGeneral<Grundkarte[]>('GET', wegOf(grundkarteWege.liste), { signal, quiet: true }),
  // The operator's list changes with a restart.
  staleTime: 10 * 60_000,
})

const KEPT = 'forstkontor.grundkarte'
/** "None" is a choice as well: own layers on plain ground. */
const NONE = ''

export interface GrundkarteWahl {
  readonly karten: readonly Grundkarte[]
  readonly gewaehlt: Grundkarte | null
  readonly waehlen: (id: string) => void
}

export function useGrundkarte(): GrundkarteWahl {
  const { data: karten = [] } = useQuery(grundkarten)
  const [id, setId] = useState(() => localStorage.getItem(KEPT))
  return {
    karten,
    gewaehlt: id === NONE ? null : (karten.find((karte) => karte.id === id) ?? karten[0] ?? null),
    waehlen: (next) => {
      localStorage.setItem(KEPT, next)
      setId(next)
    },
  }
}
