// The stands of a holding coloured by their trees per hectare.
import { useQuery } from '@tanstack/react-query'
import { LEVELS } from '#domain/kawm-bestand.ts'
import { BestandSurface } from '../../karte/BestandSurface.tsx'
import { ErrorState, Skeleton } from '../../ui/States.tsx'
import { t } from '../../ui/text.ts'
import { useView } from '../../ui/view.tsx'
import { LEVEL_COLOR, levelName, type TableRow } from './kawm-list.tsx'
import { outlinesQuery } from './kawm-page.data.ts'

interface Props {
  idHQ: number
  name: string
  rows: readonly TableRow[]
  matching: readonly TableRow[]
  gewaehlt: number | null
}
const colorOf = ({ stufe }: TableRow): string => LEVEL_COLOR[stufe]

export function KawmKarte({ idHQ, name, rows, matching, gewaehlt }: Props) {
  const query = useQuery(outlinesQuery(idHQ))
  const view = useView()
  if (query.data === undefined)
    return query.isPending ? (
      <Skeleton lines={8} />
    ) : (
      <ErrorState error={query.error} onRetry={() => void query.refetch()} />
    )
  return (
    <BestandSurface
      key={query.data[0]?.[0]}
      label={t('Bestände von {name} nach Habitatbäumen je Hektar', { name })}
      umrisse={query.data}
      rows={rows}
      matching={matching}
      gewaehlt={gewaehlt}
      onChoose={(id) => view.setSearch({ bestand: id === null ? undefined : String(id) }, { replace: true })}
      colorOf={colorOf}
      sheet={{
        titel: t('Habitatbäume je Bestand, {name}', { name }),
        untertitel: t('Klimaangepasstes Waldmanagement: Stand der Auswahl'),
      }}
      legend={LEVELS.map((level) => ({ key: level, name: levelName(level), farbe: LEVEL_COLOR[level] }))}
    />
  )
}
