// Resolution of the result in units of the map.
import { useState } from 'react'
import { parseCoordinate } from '#domain/georef/coordinate.ts'
import { isTooCoarse } from '#domain/georef/raster.ts'
import { TextField } from '../../ui/Field.tsx'
import { formatNumber } from '../../ui/format.ts'
import { t } from '../../ui/text.ts'

interface Props {
  res: number | null
  grad: boolean
  vorschlag: number | null
  onRes: (res: number | null) => void
}
/** Applied on blur, so that half a number is not an undo step. */
export function ResolutionField({ res, grad, vorschlag, onRes }: Props) {
  const written = res === null ? '' : String(res).replace('.', ',')
  const [text, setText] = useState(written)
  const [fault, setFault] = useState<string | undefined>(undefined)
  const unit = grad ? '°' : 'm'
  const hint =
    vorschlag === null
      ? t('Standard: so fein wie der Scan.')
      : t('Standard: so fein wie der Scan, {value} {unit}.', {
          value: formatNumber(vorschlag, grad ? 8 : 3),
          unit,
        })
  const take = () => {
    if (text === written) return setFault(undefined)
    const value = text.trim() === '' ? null : parseCoordinate(text)
    const wrong = text.trim() !== '' && (value === null || value <= 0 || value > 1000)
    const coarse = !wrong && value !== null && vorschlag !== null && isTooCoarse(value, vorschlag)
    setFault(
      wrong
        ? t('Bitte eine Zahl größer als 0 wie 0,25 eingeben.')
        : coarse
          ? t('So grob wäre im Ergebnis nichts zu erkennen. Bitte eine kleinere Zahl eingeben ({unit}).', {
              unit,
            })
          : undefined,
    )
    if (!wrong && !coarse) onRes(value)
    return undefined
  }
  return (
    <TextField
      label={t('Auflösung je Bildpunkt')}
      unit={unit}
      value={text}
      inputMode="decimal"
      hint={hint}
      error={fault}
      onChange={(event) => setText(event.target.value)}
      onBlur={take}
      onKeyDown={(event) => event.key === 'Enter' && take()}
    />
  )
}
