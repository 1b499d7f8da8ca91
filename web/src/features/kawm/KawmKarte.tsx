// The stands of a holding coloured by their trees per hectare.
import { useQuery } from '@tanstack/react-query'
import { STUFEN } from '#domain/kawm-bestand.ts'
import { BestandFlaeche } from '../../karte/BestandFlaeche.tsx'
import { ErrorState, Skeleton } from '../../ui/States.tsx'
import { t } from '../../ui/text.ts'
import { useView } from '../../ui/view.tsx'
import { STUFE_FARBE, stufeName, type Zeile } from './kawm-list.tsx'
import { umrisseQuery } from './kawm-page.data.ts'

interface Props {
  idHQ: number
  name: string
  rows: readonly Zeile[]
  passend: readonly Zeile[]
  gewaehlt: number | null
}
const farbeOf = ({ stufe }: Zeile): string => STUFE_FARBE[stufe]

export function KawmKarte({ idHQ, name, rows, passend, gewaehlt }: Props) {
  const query = useQuery(umrisseQuery(idHQ))
  const view = useView()
  if (query.data === undefined)
    return query.isPending ? <Skeleton lines={8} /> : <ErrorState error={query.error} onRetry={() => void query.refetch()} />
  return (
    <BestandFlaeche
      key={query.data[0]?.[0]}
      label={t('Bestände von {name} nach Habitatbäumen je Hektar', { name })}
      umrisse={query.data}
      rows={rows}
      passend={passend}
      gewaehlt={gewaehlt}
      onWahl={(id) => view.setSearch({ bestand: id === null ? undefined : String(id) }, { replace: true })}
      farbeOf={farbeOf}
      legende={STUFEN.map((stufe) => ({ key: stufe, name: stufeName(stufe), farbe: STUFE_FARBE[stufe] }))}
    />
  )
}
