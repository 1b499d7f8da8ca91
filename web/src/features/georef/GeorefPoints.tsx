// The points and how well they fit.
import { useMemo } from 'react'
import { usedPoints } from '#domain/georef/session.ts'
import { Button } from '../../ui/Button.tsx'
import { Card } from '../../ui/Display.tsx'
import { EmptyState } from '../../ui/States.tsx'
import { t } from '../../ui/text.ts'
import { useGeoref, useGeorefState, useStand } from './georef-context.ts'
import { perform } from './georef-store.ts'
import { type PointActions, PointTable } from './PointTable.tsx'
import { Quality } from './Quality.tsx'

export function GeorefPoints() {
  const { store, handlers, evaluation, isComputing, breite, hoehe } = useGeoref()
  const stand = useStand()
  const chosen = useGeorefState((state) => state.gewaehlt)
  const actions = useMemo<PointActions>(
    () => ({
      goTo: (id) => handlers.current?.goTo(id),
      setInUse: (id, enable) => store.change((now) => perform(now, { art: 'benutzen', ids: [id], enable })),
      edit: (id) => store.change((now) => ({ ...now, openWindow: { art: 'punkt', id } })),
      erase: (id) => handlers.current?.remove([id]),
    }),
    [store, handlers],
  )
  return (
    <Card
      flush
      title={t('Passpunkte ({used} von {all} benutzt)', {
        used: usedPoints(stand).length,
        all: stand.punkte.length,
      })}
    >
      <Quality
        stand={stand}
        evaluation={evaluation}
        isComputing={isComputing}
        size={{ width: breite, height: hoehe }}
      />
      {stand.punkte.length === 0 ? (
        <NoPoints />
      ) : (
        <PointTable
          punkte={stand.punkte}
          evaluation={evaluation}
          epsg={stand.epsg}
          gewaehlt={chosen}
          spline={stand.typ === 'tps'}
          actions={actions}
        />
      )}
    </Card>
  )
}

function NoPoints() {
  const { store } = useGeoref()
  return (
    <EmptyState
      icon="target"
      title={t('Noch keine Passpunkte')}
      action={
        <Button onClick={() => store.change((now) => ({ ...now, openWindow: { art: 'einlesen' } }))}>
          {t('Punktdatei einlesen')}
        </Button>
      }
    >
      {t(
        'Klicken Sie im Scan auf eine Stelle, die Sie auch auf der Karte finden: eine Wegkreuzung, ' +
          'einen Grenzstein, ein Gitterkreuz. Dann auf denselben Ort der Karte.',
      )}
    </EmptyState>
  )
}
