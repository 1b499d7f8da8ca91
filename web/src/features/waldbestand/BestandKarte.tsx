// The map of a holding's stands, coloured by leading species or by age.
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { Waldbestand } from '#contract/bestand.ts'
import { GROUPS, LAST_CLASS } from '#domain/bestand.ts'
import { BestandSurface } from '../../karte/BestandSurface.tsx'
import { Segments } from '../../ui/Choice.tsx'
import { ErrorState, Skeleton } from '../../ui/States.tsx'
import { t } from '../../ui/text.ts'
import { useView } from '../../ui/view.tsx'
import type { TableRow } from './bestand-list.tsx'
import { outlinesQuery } from './waldbestand.data.ts'
import { groupColor, groupName, ageClassColor, ageClassName } from './waldbestand-words.ts'

export type Color = 'art' | 'alter'
export const colorOf = (text: string | undefined): Color => (text === 'alter' ? 'alter' : 'art')

interface Props {
  forest: Waldbestand
  rows: readonly TableRow[]
  matching: readonly TableRow[]
  gewaehlt: number | null
}

export function BestandKarte({ forest, rows, matching, gewaehlt }: Props) {
  const query = useQuery(outlinesQuery(forest.idHQ))
  const view = useView()
  const color = colorOf(view.search['farbe'])
  const colorOfRow = useMemo(
    () => (row: TableRow) => (color === 'art' ? groupColor(row.leadingGroup) : ageClassColor(row.ageClass)),
    [color],
  )
  if (query.data === undefined)
    return query.isPending ? (
      <Skeleton lines={8} />
    ) : (
      <ErrorState error={query.error} onRetry={() => void query.refetch()} />
    )
  const legend =
    color === 'art'
      ? GROUPS.filter((group) => rows.some(({ leadingGroup }) => leadingGroup === group)).map((group) => ({
          key: group as string,
          name: groupName(group),
          farbe: groupColor(group),
        }))
      : [...Array.from({ length: LAST_CLASS }, (_, at) => at + 1), null]
          .filter((ageClass) => rows.some((row) => row.ageClass === ageClass))
          .map((ageClass) => ({
            key: String(ageClass),
            name: ageClassName(ageClass),
            farbe: ageClassColor(ageClass),
          }))
  return (
    <BestandSurface
      key={query.data[0]?.[0]}
      label={t('Karte der Bestände von {name}', { name: forest.sHQ })}
      umrisse={query.data}
      rows={rows}
      matching={matching}
      gewaehlt={gewaehlt}
      onChoose={(id) => view.setSearch({ bestand: id === null ? undefined : String(id) }, { replace: true })}
      colorOf={colorOfRow}
      legend={legend}
      sheet={{
        titel: t('Waldbestand {name}', { name: forest.sHQ }),
        untertitel: color === 'art' ? t('Bestände nach führender Baumart') : t('Bestände nach Altersklasse'),
      }}
      tools={
        <Segments<Color>
          label={t('Farben der Karte')}
          value={color}
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
