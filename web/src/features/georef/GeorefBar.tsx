// Controls above the panes: setting points, typing them, method, system, base map; and the next step in one
// sentence.
import { EPSG_SYSTEMS, epsgName } from '#domain/epsg.ts'
import { GEOREF_TYPES, type GeorefType, MIN_POINTS } from '#domain/georef/transform.ts'
import { usedPoints, type State } from '#domain/georef/session.ts'
import type { Converter } from '#domain/projection.ts'
import type { BaseMapChoice } from '../../karte/base-maps.data.ts'
import { Button } from '../../ui/Button.tsx'
import { SelectField } from '../../ui/Field.tsx'
import { t } from '../../ui/text.ts'
import { typeWithPoints } from './georef-words.ts'

interface Props {
  stand: State
  placing: boolean
  /** Whether the plan's system can be converted here. */
  isConvertible: boolean
  converter: Converter
  grund: BaseMapChoice
  onPlacing: (placing: boolean) => void
  onEnterPoint: () => void
  onTypeChange: (typ: GeorefType) => void
  onSystem: (epsg: number) => void
}

export function GeorefBar({
  stand,
  placing,
  isConvertible,
  converter,
  grund,
  onPlacing,
  onEnterPoint,
  onTypeChange,
  onSystem,
}: Props) {
  return (
    <>
      <div className="georef-leiste">
        <Button
          icon="target"
          aria-pressed={placing}
          variant={placing ? 'primary' : 'secondary'}
          title={t('Taste N')}
          onClick={() => onPlacing(!placing)}
        >
          {t('Punkte setzen')}
        </Button>
        <Button icon="plus" disabled={!isConvertible} onClick={onEnterPoint}>
          {t('Koordinaten eingeben')}
        </Button>
        <SelectField
          label={t('Verfahren')}
          value={stand.typ}
          options={GEOREF_TYPES.map((typ) => ({ value: typ, label: typeWithPoints(typ) }))}
          onChange={(event) => onTypeChange(event.target.value as GeorefType)}
        />
        <SelectField
          label={t('Koordinatensystem')}
          value={String(stand.epsg)}
          disabled={!isConvertible}
          options={EPSG_SYSTEMS.filter(([code]) => code === stand.epsg || converter.systems.has(code)).map(
            ([code]) => ({
              value: String(code),
              label: epsgName(code),
            }),
          )}
          onChange={(event) => onSystem(Number(event.target.value))}
        />
        {grund.karten.length > 0 && (
          <SelectField
            label={t('Grundkarte')}
            value={grund.gewaehlt?.id ?? ''}
            emptyOption={t('keine')}
            options={grund.karten.map(({ id, titel }) => ({ value: id, label: titel }))}
            onChange={(event) => grund.pick(event.target.value)}
          />
        )}
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
