// The cascade of levels: each choice opens the next level, with the number of stands and hectares below every
// value.
import { type Choice, levels, chooseLevel } from '#domain/bestand.ts'
import { Button } from '../../ui/Button.tsx'
import { SelectField } from '../../ui/Field.tsx'
import { formatNumber } from '../../ui/format.ts'
import { t } from '../../ui/text.ts'
import { EMPTY, levelValue, type TableRow } from './bestand-list.tsx'
import { haText } from './waldbestand-words.ts'

interface Props {
  /** Narrowed by all filters but those of the levels. */
  rows: readonly TableRow[]
  ebenen: readonly string[]
  auswahl: Choice
  onChoose: (selection: Choice) => void
}

export function Levels({ rows, ebenen, auswahl, onChoose }: Props) {
  const shown = levels(rows, auswahl, ebenen)
  if (shown.length === 0) return null
  return (
    <fieldset className="wald-ebenen" aria-label={t('Forstliche Adresse')}>
      {shown.map((level) => {
        const { ebene, name, gewaehlt, werte } = level
        const missing = gewaehlt !== null && !werte.some(({ wert }) => wert === gewaehlt)
        return (
          <SelectField
            key={ebene}
            label={name}
            emptyOption={t('alle ({n})', {
              n: formatNumber(werte.reduce((sum, { anzahl }) => sum + anzahl, 0)),
            })}
            value={gewaehlt === null ? '' : gewaehlt === '' ? EMPTY : gewaehlt}
            options={[
              ...werte.map(({ wert, anzahl, ha }) => ({
                value: wert === '' ? EMPTY : wert,
                label: t('{wert} · {n}, {ha}', {
                  wert: levelValue(wert, level),
                  n: anzahl === 1 ? t('1 Bestand') : t('{n} Bestände', { n: formatNumber(anzahl) }),
                  ha: haText(ha),
                }),
              })),
              ...(missing
                ? [
                    {
                      value: gewaehlt === '' ? EMPTY : gewaehlt,
                      label: t('{wert} · kein Bestand', { wert: levelValue(gewaehlt, level) }),
                    },
                  ]
                : []),
            ]}
            onChange={({ target }) =>
              onChoose(
                chooseLevel(
                  auswahl,
                  ebene,
                  target.value === '' ? null : target.value === EMPTY ? '' : target.value,
                ),
              )
            }
          />
        )
      })}
      {auswahl.some((wert) => wert !== null) && (
        <Button variant="quiet" icon="close" onClick={() => onChoose(chooseLevel(auswahl, 0, null))}>
          {t('Ganzer Betrieb')}
        </Button>
      )}
    </fieldset>
  )
}
