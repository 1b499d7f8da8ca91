// Above the panes: setting points, typing them, method, system, base map; and what comes next, in one sentence.
import { EPSG_SYSTEMS, epsgName } from '#domain/epsg.ts'
import { GEOREF_TYPEN, type GeorefTyp, MINDESTPUNKTE } from '#domain/georef/abbildung.ts'
import { benutzte, type Stand } from '#domain/georef/sitzung.ts'
import type { Umrechner } from '#domain/projektion.ts'
import type { GrundkarteWahl } from '../../karte/grundkarten.data.ts'
import { Button } from '../../ui/Button.tsx'
import { SelectField } from '../../ui/Field.tsx'
import { t } from '../../ui/text.ts'
import { typMitPunkten } from './georef-words.ts'

interface Props {
  stand: Stand
  setzt: boolean
  /** The plan's system can be reckoned here. */
  geht: boolean
  umrechner: Umrechner
  grund: GrundkarteWahl
  onSetzt: (setzt: boolean) => void
  onEingeben: () => void
  onTyp: (typ: GeorefTyp) => void
  onSystem: (epsg: number) => void
}

export function GeorefLeiste({ stand, setzt, geht, umrechner, grund, onSetzt, onEingeben, onTyp, onSystem }: Props) {
  return (
    <>
      <div className="georef-leiste">
        <Button
          icon="target"
          aria-pressed={setzt}
          variant={setzt ? 'primary' : 'secondary'}
          title={t('Taste N')}
          onClick={() => onSetzt(!setzt)}
        >
          {t('Punkte setzen')}
        </Button>
        <Button icon="plus" disabled={!geht} onClick={onEingeben}>
          {t('Koordinaten eingeben')}
        </Button>
        <SelectField
          label={t('Verfahren')}
          value={stand.typ}
          options={GEOREF_TYPEN.map((typ) => ({ value: typ, label: typMitPunkten(typ) }))}
          onChange={(event) => onTyp(event.target.value as GeorefTyp)}
        />
        <SelectField
          label={t('Koordinatensystem')}
          value={String(stand.epsg)}
          disabled={!geht}
          options={EPSG_SYSTEMS.filter(([code]) => code === stand.epsg || umrechner.systeme.has(code)).map(([code]) => ({
            value: String(code),
            label: epsgName(code),
          }))}
          onChange={(event) => onSystem(Number(event.target.value))}
        />
        {grund.karten.length > 0 && (
          <SelectField
            label={t('Grundkarte')}
            value={grund.gewaehlt?.id ?? ''}
            emptyOption={t('keine')}
            options={grund.karten.map(({ id, titel }) => ({ value: id, label: titel }))}
            onChange={(event) => grund.waehlen(event.target.value)}
          />
        )}
      </div>
      <p className="georef-anleitung">{anleitung(setzt, stand)}</p>
    </>
  )
}

function anleitung(setzt: boolean, stand: Stand): string {
  const { halb, punkte, typ } = stand
  if (halb?.scan) return t('Jetzt denselben Ort auf der Karte anklicken. Esc verwirft ihn.')
  if (halb?.karte) return t('Jetzt denselben Ort im Scan anklicken. Esc verwirft ihn.')
  if (!setzt) return t('Punkte anklicken und ziehen. Taste N setzt neue, Strg+Z nimmt zurück.')
  if (punkte.length === 0) return t('Eine Stelle im Scan anklicken, dann denselben Ort auf der Karte (oder umgekehrt).')
  const missing = MINDESTPUNKTE[typ] - benutzte(stand).length
  return missing > 0
    ? t('Nächste Stelle anklicken: noch {n} bis zum ersten Ergebnis.', { n: missing })
    : t('Nächste Stelle anklicken. Esc beendet das Setzen.')
}
