// Search for any holding by its name or its customer's, for people who may capture in all holdings. Loaded
// only for them.
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { BETRIEB_FILTER, type Betrieb, betriebQuery } from '../../list/betrieb.data.ts'
import { RecordField } from '../../list/RecordField.tsx'
import { t } from '../../ui/text.ts'

export type FoundBetrieb = Pick<Betrieb, 'idHQ' | 'sHQ'>

export function BetriebSearch({
  gewaehlt,
  onChoose,
  onBetrieb,
}: {
  gewaehlt: string
  onChoose: (id: string) => void
  onBetrieb: (betrieb: FoundBetrieb | null) => void
}) {
  const { data } = useQuery({ ...betriebQuery(gewaehlt), enabled: gewaehlt !== '' })
  const found = gewaehlt === '' ? undefined : data
  useEffect(
    () => onBetrieb(found === undefined ? null : { idHQ: found.idHQ, sHQ: found.sHQ }),
    [found, onBetrieb],
  )
  return <RecordField filter={BETRIEB_FILTER} label={t('Forstbetrieb')} value={gewaehlt} apply={onChoose} />
}
