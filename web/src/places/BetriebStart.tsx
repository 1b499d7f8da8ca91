// A page about a holding: staff begin with an overview of those that have something.
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { PlaceSubject } from '#contract/places.ts'
import { useChosenHq } from '../data/active-hq.ts'
import { betriebQuery } from '../list/betrieb.data.ts'
import { BetriebPicker } from '../list/BetriebPicker.tsx'
import { PlacesPage } from './PlacesPage.tsx'

interface Props {
  was: Exclude<PlaceSubject, 'kataster'>
  /** Query keys that belong to the previous holding and are removed with it. */
  keys: readonly string[]
  children: (id: string, choice: ReactNode) => ReactNode
}

export const BetriebStart = ({ was, keys, children }: Props) => (
  <BetriebPicker keys={keys} overview={(choice) => <Overview was={was} choice={choice} />}>
    {children}
  </BetriebPicker>
)

function Overview({ was, choice }: { was: PlaceSubject; choice: ReactNode }) {
  const chosen = useChosenHq()
  const { data } = useQuery({ ...betriebQuery(String(chosen)), enabled: chosen > 0, retry: false })
  return <PlacesPage was={was} choice={choice} last={data ? { id: data.idHQ, name: data.sHQ } : null} />
}
