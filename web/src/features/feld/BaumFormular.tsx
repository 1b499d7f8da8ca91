// The fields of a tree for one hand on a phone: large choices first, the rare ones folded away below. What is typed is put on the device with every change.
import { useEffect, useState } from 'react'
import { Controller, type UseFormReturn, useWatch } from 'react-hook-form'
import type { HabitatArt } from '#domain/habitat/arten.ts'
import type { BaumValues, FormFeld } from '../../record/habitat/habitat-form.ts'
import {
  artOptionen,
  artText,
  EBENE_FELDER,
  fieldLabel,
  MARKIERUNGEN,
  markierungName,
  METHODEN,
  methodeName,
  STATUS,
  statusName,
  ZUSTAENDE,
  zustandName,
} from '../../record/habitat/habitat-words.ts'
import { mitStruktur, strukturenOf, strukturName } from '../../record/habitat/strukturen-text.ts'
import { StrukturWahl } from '../../record/habitat/StrukturWahl.tsx'
import { DateField } from '../../ui/DateField.tsx'
import { Checkbox, SelectField, TextAreaField, TextField } from '../../ui/Field.tsx'
import { formatDate } from '../../ui/format.ts'
import { t } from '../../ui/text.ts'
import { today } from '../../ui/today.ts'
import type { FeldPaket } from './feld-db.ts'
import { useFeld } from './feld-kontext.ts'
import { LageTeil } from './LageTeil.tsx'
import { fetchSichten } from './schlange.ts'
import { haeufigeArten, haeufigeStrukturen } from './vorschlaege.ts'
import { Mehrwahl, Wahl } from './Wahl.tsx'

interface Props {
  form: UseFormReturn<BaumValues>
  paket: FeldPaket
  neu: boolean
  /** Between place and species: photos are taken first. */
  fotos?: React.ReactNode
}
const options = <T extends string>(list: readonly T[], name: (value: T) => string) => list.map((value) => ({ value, label: name(value) }))

export function BaumFormular({ form, paket, neu, fotos }: Props) {
  const { register, formState, control, setValue, getValues } = form
  const { arten, strukturen } = useVorschlaege(paket)
  const [art, zustand, status, markierung, gewaehlt] = useWatch({
    control,
    name: ['art', 'zustand', 'status', 'markierung_art', 'strukturen'],
  })
  const bind = (field: FormFeld) => ({
    label: fieldLabel(field, paket.ebenen),
    error: formState.errors[field]?.message,
    ...register(field),
  })
  const put = (field: FormFeld, value: string) =>
    setValue(field, value as never, { shouldDirty: true, shouldTouch: true, shouldValidate: formState.isSubmitted })
  const { label: kawmLabel, error: kawmError, ...kawm } = bind('kawm')
  const selten =
    formState.errors.hoehe_m ??
    formState.errors.iSTAND ??
    formState.errors.erfasst_am ??
    formState.errors.erfasser ??
    EBENE_FELDER.map((feld) => formState.errors[feld]).find(Boolean)
  return (
    <>
      <LageTeil form={form} paket={paket} vonSelbst={neu && getValues('lat') === ''} />
      {fotos}
      <section className="erf-teil" aria-label={t('Baum')}>
        <Wahl<HabitatArt>
          label={fieldLabel('art')}
          value={art}
          options={arten.map((code) => ({ value: code, label: artText(code, null) }))}
          onChange={(value) => put('art', value)}
        />
        <SelectField {...bind('art')} label={t('Andere Baumart')} emptyOption={t('bitte wählen')} options={artOptionen()} />
        {art === 'sonstige' && <TextField {...bind('art_text')} required maxLength={100} autoComplete="off" />}
        <div className="erf-zwei">
          <TextField
            {...bind('bhd_cm')}
            unit="cm"
            inputMode="decimal"
            autoComplete="off"
            maxLength={7}
            enterKeyHint="done"
            className="erf-zahl"
          />
          <TextField {...bind('nummer')} maxLength={40} autoComplete="off" enterKeyHint="done" />
        </div>
        <Wahl
          label={fieldLabel('zustand')}
          value={zustand}
          options={options(ZUSTAENDE, zustandName)}
          error={formState.errors.zustand?.message}
          onChange={(value) => put('zustand', value)}
        />
        <Wahl
          label={fieldLabel('status')}
          value={status}
          options={options(STATUS, statusName)}
          error={formState.errors.status?.message}
          onChange={(value) => put('status', value)}
        />
      </section>
      <section className="erf-teil" aria-label={fieldLabel('strukturen')}>
        <Mehrwahl
          label={fieldLabel('strukturen')}
          options={strukturen.map((code) => ({ value: code, label: strukturName(code) }))}
          gewaehlt={strukturenOf(gewaehlt).map(({ code }) => code)}
          onChange={(code, da) => put('strukturen', mitStruktur(getValues('strukturen'), code, da))}
        />
        <details className="erf-mehrdazu">
          <summary>{t('Alle Strukturen und Anzahl')}</summary>
          <Controller
            control={control}
            name="strukturen"
            render={({ field, fieldState }) => (
              <StrukturWahl value={field.value} onChange={field.onChange} error={fieldState.error?.message} />
            )}
          />
        </details>
      </section>
      <section className="erf-teil" aria-label={fieldLabel('markierung_art')}>
        <Wahl
          label={fieldLabel('markierung_art')}
          value={markierung}
          options={[{ value: '', label: t('nicht markiert') }, ...options(MARKIERUNGEN, markierungName)]}
          error={formState.errors.markierung_art?.message}
          onChange={(value) => {
            put('markierung_art', value)
            // Who marks it says so today.
            if (value === '') put('markierung_datum', '')
            else if (getValues('markierung_datum') === '') put('markierung_datum', formatDate(today()))
          }}
        />
        {(markierung !== '' || formState.errors.markierung_datum) && <DateField {...bind('markierung_datum')} />}
      </section>
      <section className="erf-teil" aria-label={fieldLabel('bemerkung')}>
        <TextAreaField {...bind('bemerkung')} maxLength={2000} rows={2} />
      </section>
      <details className="erf-teil erf-mehrdazu" open={selten !== undefined || undefined}>
        <summary>{t('Weitere Angaben')}</summary>
        <div className="erf-zwei">
          <TextField {...bind('hoehe_m')} unit="m" inputMode="decimal" autoComplete="off" maxLength={6} />
          <TextField {...bind('iSTAND')} inputMode="numeric" autoComplete="off" maxLength={9} />
        </div>
        {EBENE_FELDER.map((feld, at) =>
          paket.ebenen[at] === '' && getValues(feld) === '' ? null : (
            <TextField key={feld} {...bind(feld)} maxLength={60} autoComplete="off" />
          ),
        )}
        <SelectField {...bind('lage_methode')} options={options(METHODEN, methodeName)} />
        <DateField {...bind('erfasst_am')} required />
        <TextField {...bind('erfasser')} maxLength={200} autoComplete="off" />
        <Checkbox label={kawmLabel} {...(kawmError !== undefined && { error: kawmError })} {...kawm} />
      </details>
    </>
  )
}

function useVorschlaege({ idHQ }: FeldPaket): { arten: readonly HabitatArt[]; strukturen: readonly string[] } {
  const { db, sub } = useFeld()
  const [found, setFound] = useState(() => ({ arten: haeufigeArten([]), strukturen: haeufigeStrukturen([]) }))
  useEffect(() => {
    let gone = false
    void fetchSichten(db, sub, idHQ).then(
      // Read once: choices that change their place under the thumb would be pressed wrongly.
      (sichten) => !gone && sichten.length > 0 && setFound({ arten: haeufigeArten(sichten), strukturen: haeufigeStrukturen(sichten) }),
      () => undefined,
    )
    return () => {
      gone = true
    }
  }, [db, sub, idHQ])
  return found
}
