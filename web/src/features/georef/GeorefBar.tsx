// Controls above the panes: setting points, typing them, method, system, base map; and the next step in one
// sentence.
import { GEOREF_TYPES, type GeorefType, MIN_POINTS } from '#domain/georef/transform.ts'
import { usedPoints, type State } from '#domain/georef/session.ts'
import { BaseMapField } from '../../karte/BaseMapField.tsx'
import { Button } from '../../ui/Button.tsx'
import { SelectField } from '../../ui/Field.tsx'
import { t } from '../../ui/text.ts'
import { useGeoref, useGeorefState, useStand } from './georef-context.ts'
import { changeSystem, perform, standOf } from './georef-store.ts'
import { systemOptions, typeWithPoints } from './georef-words.ts'

export function GeorefBar() {
  const { store, converter, grund, conversion, source } = useGeoref()
  const { isConvertible } = conversion
  const stand = useStand()
  const placing = useGeorefState((state) => state.placing)
  const setPlacing = (on: boolean) => store.change((now) => ({ ...now, placing: on }))
  const setSystem = (epsg: number) => {
    if (!isConvertible || !converter.systems.has(epsg)) return
    store.change((now) => changeSystem(now, epsg, converter.conversion(standOf(now).epsg, epsg)))
  }
  return (
    <>
      <div className="georef-leiste">
        <Button
          icon="target"
          aria-pressed={placing}
          variant={placing ? 'primary' : 'secondary'}
          title={t('Taste N')}
          onClick={() => setPlacing(!placing)}
        >
          {t('Punkte setzen')}
        </Button>
        <Button
          icon="plus"
          disabled={!isConvertible}
          onClick={() => store.change((now) => ({ ...now, openWindow: { art: 'punkt', id: null } }))}
        >
          {t('Koordinaten eingeben')}
        </Button>
        <Button
          icon="search"
          disabled={source === null || usedPoints(stand).length < 2}
          title={t('Wenn zwei Gitterkreuze Passpunkte sind, findet das Programm die übrigen.')}
          onClick={() => store.change((now) => ({ ...now, openWindow: { art: 'gitter' } }))}
        >
          {t('Gitterkreuze suchen')}
        </Button>
        <SelectField
          label={t('Verfahren')}
          value={stand.typ}
          options={GEOREF_TYPES.map((kind) => ({ value: kind, label: typeWithPoints(kind) }))}
          onChange={(event) =>
            store.change((now) =>
              perform(now, { art: 'werte', werte: { typ: event.target.value as GeorefType } }),
            )
          }
        />
        <SelectField
          label={t('Koordinatensystem')}
          value={String(stand.epsg)}
          disabled={!isConvertible}
          options={systemOptions(converter, stand.epsg)}
          onChange={(event) => setSystem(Number(event.target.value))}
        />
        <BaseMapField choice={grund} />
      </div>
      <p className="georef-anleitung">{instructions(placing, stand)}</p>
    </>
  )
}

function instructions(placing: boolean, stand: State): string {
  const { half, punkte, typ } = stand
  if (half?.scan) return t('Jetzt denselben Ort auf der Karte anklicken. Esc verwirft ihn.')
  if (half?.karte) return t('Jetzt denselben Ort im Scan anklicken. Esc verwirft ihn.')
  if (!placing) return t('Punkte anklicken und ziehen. Taste N setzt neue, Strg+Z nimmt zurück.')
  if (punkte.length === 0)
    return t('Eine Stelle im Scan anklicken, dann denselben Ort auf der Karte (oder umgekehrt).')
  const missing = MIN_POINTS[typ] - usedPoints(stand).length
  return missing > 0
    ? t('Nächste Stelle anklicken: noch {n} bis zum ersten Ergebnis.', { n: missing })
    : t('Nächste Stelle anklicken. Esc beendet das Setzen.')
}
