// Name, system, resolution and ways of a mosaic.
import { EPSG_CODES, epsgName } from '#domain/epsg.ts'
import { FieldGrid, SelectField, TextField } from '../../ui/Field.tsx'
import { formatNumber } from '../../ui/format.ts'
import { t } from '../../ui/text.ts'
import type { MosaicForm, MosaicInput } from './use-mosaic-form.ts'

const DEGREES: ReadonlySet<number> = new Set([4258, 4326])

function sizeText({ size }: MosaicForm): string | undefined {
  if (size === null || typeof size === 'string') return undefined
  return t('Etwa {breite} × {hoehe} Pixel, {mio} Millionen.', {
    breite: formatNumber(size.breite),
    hoehe: formatNumber(size.hoehe),
    mio: formatNumber((size.breite * size.hoehe) / 1e6, 1),
  })
}

export function MosaicFields({ form }: { form: MosaicForm }) {
  const { input, change, faults, size } = form
  const isDegrees = DEGREES.has(input.epsg)
  const unit = isDegrees ? '°' : 'm'
  const finest =
    input.res.trim() === '' && size !== null && typeof size !== 'string'
      ? formatNumber(size.aufloesung, isDegrees ? 8 : 3)
      : null
  return (
    <section className="stack" aria-label={t('Das Mosaik')}>
      <h3>{t('Das Mosaik')}</h3>
      <FieldGrid>
        <TextField
          label={t('Name des neuen Plans')}
          value={input.map_name}
          maxLength={200}
          autoComplete="off"
          required
          error={faults.map_name}
          hint={t('Das Mosaik wird ein eigener Plan des Kunden; die Blätter bleiben, wie sie sind.')}
          onChange={({ target }) => change({ map_name: target.value })}
        />
        <SelectField
          label={t('Koordinatensystem')}
          value={String(input.epsg)}
          error={faults.epsg}
          options={EPSG_CODES.map((code) => ({ value: String(code), label: epsgName(code) }))}
          onChange={({ target }) => change({ epsg: Number(target.value) })}
        />
        <TextField
          label={t('Auflösung je Bildpunkt')}
          unit={unit}
          value={input.res}
          inputMode="decimal"
          error={faults.res}
          hint={[
            finest === null
              ? t('Standard: so fein wie das feinste Blatt.')
              : t('Standard: so fein wie das feinste Blatt, {value} {unit}.', { value: finest, unit }),
            sizeText(form),
          ]
            .filter((part) => part !== undefined)
            .join(' ')}
          onChange={({ target }) => change({ res: target.value })}
        />
        <SelectField
          label={t('Wo sich Blätter überlappen')}
          value={input.ueberlappung}
          options={[
            { value: 'oben', label: t('deckt das obere Blatt das untere') },
            { value: 'dunkel', label: t('bleibt alles Gezeichnete sichtbar (der dunklere Bildpunkt)') },
          ]}
          onChange={({ target }) => change({ ueberlappung: target.value as MosaicInput['ueberlappung'] })}
        />
        <SelectField
          label={t('Kompression')}
          value={input.kompression}
          options={[
            { value: 'jpeg', label: t('JPEG (klein, für gescanntes Papier)') },
            { value: 'deflate', label: t('Deflate (verlustfrei)') },
          ]}
          onChange={({ target }) => change({ kompression: target.value as MosaicInput['kompression'] })}
        />
      </FieldGrid>
    </section>
  )
}
