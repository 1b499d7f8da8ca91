// The map of a holding's stands, coloured by their leading species or by their age.
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Waldbestand } from '#contract/bestand.ts'
import { GRUPPEN, LETZTE_KLASSE } from '#domain/bestand.ts'
import { BestandFlaeche } from '../../karte/BestandFlaeche.tsx'
import { Segments } from '../../ui/Choice.tsx'
import { ErrorState, Skeleton } from '../../ui/States.tsx'
import { t } from '../../ui/text.ts'
import { useView } from '../../ui/view.tsx'
import type { Zeile } from './bestand-list.tsx'
import { umrisseQuery } from './waldbestand.data.ts'
import { gruppeFarbe, gruppeName, klasseFarbe, klasseName } from './waldbestand-words.ts'

export type Farbe = 'art' | 'alter'
export const farbeOf = (text: string | undefined): Farbe => (text === 'alter' ? 'alter' : 'art')

interface Props {
  wald: Waldbestand
  rows: readonly Zeile[]
  passend: readonly Zeile[]
  gewaehlt: number | null
}

export function BestandKarte({ wald, rows, passend, gewaehlt }: Props) {
  const query = useQuery(umrisseQuery(wald.idHQ))
  const view = useView()
  const farbe = farbeOf(view.search['farbe'])
  const farbeVon = useMemo(() => (row: Zeile) => (farbe === 'art' ? gruppeFarbe(row.leit) : klasseFarbe(row.klasse)), [farbe])
  if (query.data === undefined)
    return query.isPending ? <Skeleton lines={8} /> : <ErrorState error={query.error} onRetry={() => void query.refetch()} />
  const legende =
    farbe === 'art'
      ? GRUPPEN.filter((gruppe) => rows.some(({ leit }) => leit === gruppe)).map((gruppe) => ({
          key: gruppe as string,
          name: gruppeName(gruppe),
          farbe: gruppeFarbe(gruppe),
        }))
      : [...Array.from({ length: LETZTE_KLASSE }, (_, at) => at + 1), null]
          .filter((klasse) => rows.some((row) => row.klasse === klasse))
          .map((klasse) => ({ key: String(klasse), name: klasseName(klasse), farbe: klasseFarbe(klasse) }))
  return (
    <BestandFlaeche
      key={query.data[0]?.[0]}
      label={t('Karte der Bestände von {name}', { name: wald.sHQ })}
      umrisse={query.data}
      rows={rows}
      passend={passend}
      gewaehlt={gewaehlt}
      onWahl={(id) => view.setSearch({ bestand: id === null ? undefined : String(id) }, { replace: true })}
      farbeOf={farbeVon}
      legende={legende}
      werkzeuge={
        <Segments<Farbe>
          label={t('Farben der Karte')}
          value={farbe}
          options={[
            { value: 'art', label: t('Baumart') },
            { value: 'alter', label: t('Altersklasse') },
          ]}
          onChange={(next) => view.setSearch({ farbe: next === 'art' ? undefined : next }, { replace: true })}
        />
      }
    />
  )
}
