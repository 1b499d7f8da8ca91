// The cascade of levels: each choice opens the next level, with how many stands and hectares lie below every value.
import { type Auswahl, stufen, waehle } from '#domain/bestand.ts'
import { Button } from '../../ui/Button.tsx'
import { SelectField } from '../../ui/Field.tsx'
import { formatNumber } from '../../ui/format.ts'
import { t } from '../../ui/text.ts'
import { LEER, stufeWert, type Zeile } from './bestand-list.tsx'
import { haText } from './waldbestand-words.ts'

interface Props {
  /** Narrowed by all filters but those of the levels. */
  rows: readonly Zeile[]
  ebenen: readonly string[]
  auswahl: Auswahl
  onWahl: (auswahl: Auswahl) => void
}

export function Ebenen({ rows, ebenen, auswahl, onWahl }: Props) {
  const shown = stufen(rows, auswahl, ebenen)
  if (shown.length === 0) return null
  return (
    <fieldset className="wald-ebenen" aria-label={t('Forstliche Adresse')}>
      {shown.map((stufe) => {
        const { ebene, name, gewaehlt, werte } = stufe
        const missing = gewaehlt !== null && !werte.some(({ wert }) => wert === gewaehlt)
        return (
          <SelectField
            key={ebene}
            label={name}
            emptyOption={t('alle ({n})', { n: formatNumber(werte.reduce((sum, { anzahl }) => sum + anzahl, 0)) })}
            value={gewaehlt === null ? '' : gewaehlt === '' ? LEER : gewaehlt}
            options={[
              ...werte.map(({ wert, anzahl, ha }) => ({
                value: wert === '' ? LEER : wert,
                label: t('{wert} · {n}, {ha}', {
                  wert: stufeWert(wert, stufe),
                  n: anzahl === 1 ? t('1 Bestand') : t('{n} Bestände', { n: formatNumber(anzahl) }),
                  ha: haText(ha),
                }),
              })),
              ...(missing
                ? [{ value: gewaehlt === '' ? LEER : gewaehlt, label: t('{wert} · kein Bestand', { wert: stufeWert(gewaehlt, stufe) }) }]
                : []),
            ]}
            onChange={({ target }) =>
              onWahl(waehle(auswahl, ebene, target.value === '' ? null : target.value === LEER ? '' : target.value))
            }
          />
        )
      })}
      {auswahl.some((wert) => wert !== null) && (
        <Button variant="quiet" icon="close" onClick={() => onWahl(waehle(auswahl, 0, null))}>
          {t('Ganzer Betrieb')}
        </Button>
      )}
    </fieldset>
  )
}
