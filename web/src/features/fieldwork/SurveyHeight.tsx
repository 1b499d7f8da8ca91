// The height that an external receiver has measured at the foot of its antenna. It is taken only when the person says
// so: most receivers have their own coarse geoid, decimetres off the official heights.
import { Button } from '../../ui/Button.tsx'
import { formatNumber } from '../../ui/format.ts'
import { t } from '../../ui/text.ts'
import type { Solution } from './position.ts'
import { useReceiverSettings } from './receiver-settings.ts'
import type { SurveyFormModel } from './use-survey-form.ts'

interface Props {
  form: Pick<SurveyFormModel, 'state' | 'change'>
  solution: Solution
}
export function SurveyHeight({ form, solution: { ellipsoidal, orthometric } }: Props) {
  const { antenna } = useReceiverSettings()
  if (ellipsoidal === null && orthometric === null) return null
  const isLine = form.state.tabelle === 'draenage'
  const metres = (height: number) => formatNumber(height, 3)
  return (
    <div className="erf-hoehe">
      <p className="soft nums">
        {[
          orthometric !== null &&
            t('{m} m über dem Meeresspiegel (Geoid des Empfängers, nicht amtlich)', {
              m: metres(orthometric),
            }),
          ellipsoidal !== null && t('Höhe über Ellipsoid {m} m', { m: metres(ellipsoidal) }),
          antenna === 0
            ? t('Antennenhöhe 0 m: nichts abgezogen')
            : t('Antennenhöhe {m} m abgezogen', { m: formatNumber(antenna, 2) }),
        ]
          .filter(Boolean)
          .join(' · ')}
      </p>
      {!isLine && orthometric !== null && (
        <Button
          size="small"
          onClick={() =>
            form.change((before) => ({
              ...before,
              inputs: {
                ...before.inputs,
                hoehe: String(Math.round(orthometric * 1_000) / 1_000).replace('.', ','),
              },
            }))
          }
        >
          {t('Höhe über dem Meeresspiegel übernehmen')}
        </Button>
      )}
    </div>
  )
}
