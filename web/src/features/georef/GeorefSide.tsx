// Beside the points: the magnifier of the scan, and how the result is to be named and sampled.
import { Magnifier } from '../../karte/Magnifier.tsx'
import type { SurfaceHandle } from '../../karte/Surface.tsx'
import { typeNames } from '../../karte/georef-type-names.ts'
import { Card } from '../../ui/Display.tsx'
import { TextField } from '../../ui/Field.tsx'
import { t } from '../../ui/text.ts'
import { useGeoref, useGeorefState, useStand } from './georef-context.ts'
import { magnified, nudge, perform } from './georef-store.ts'
import { isDegrees } from './georef-words.ts'
import { ResolutionField } from './ResolutionField.tsx'

export function GeorefSide() {
  const { store, surfaces, source, evaluation } = useGeoref()
  const stand = useStand()
  return (
    <div className="georef-seite">
      {surfaces.scanSurface !== null && source !== null && <Magnified flaeche={surfaces.scanSurface} />}
      <Card title={t('Ergebnis')}>
        <div className="stack">
          <TextField
            label={t('Bezeichnung')}
            value={stand.label ?? ''}
            placeholder={typeNames()[stand.typ]}
            maxLength={200}
            onChange={({ target: { value } }) =>
              store.change((now) =>
                perform(now, { art: 'werte', werte: { label: value === '' ? null : value } }, 'bezeichnung'),
              )
            }
          />
          <ResolutionField
            key={stand.res ?? 'ohne'}
            res={stand.res}
            grad={isDegrees(stand.epsg)}
            vorschlag={evaluation.aufloesung}
            onRes={(res) => store.change((now) => perform(now, { art: 'werte', werte: { res } }))}
          />
        </div>
      </Card>
    </div>
  )
}

/** Separate component, because it re-renders with every move of the pointer. */
function Magnified({ flaeche }: { flaeche: SurfaceHandle }) {
  const { store } = useGeoref()
  const { center, was } = magnified(useGeorefState((state) => state))
  return (
    <Card title={t('Lupe')}>
      <Magnifier
        flaeche={flaeche}
        center={center}
        was={was}
        onNudge={(right, down) => store.change((now) => nudge(now, right, down))}
      />
    </Card>
  )
}
