// /buchhaltung/rechnungen/rechnung/update/{update_id}: the draft of an invoice.
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { BelegSkonto, RechnungFormat } from '#domain/beleg.ts'
import { DateField } from '../../../ui/DateField.tsx'
import { SelectField, TextField } from '../../../ui/Field.tsx'
import { t } from '../../../ui/text.ts'
import { useView } from '../../../ui/view.tsx'
import { RECHNUNG_KIND } from '../beleg-kinds.ts'
import { DraftPage } from '../DraftPage.tsx'
import type { DraftFields, DraftSpec } from '../draft-spec.ts'
import { type DraftValues, formatText, invoiceKindText } from '../draft-words.ts'
import { MORE_NAMES, placeOf, referencesOf } from '../place-fields.ts'
import { PlaceFields, ReferenceFields } from '../PlaceFields.tsx'
import { SkontoField } from '../SkontoField.tsx'
import { Anlagen } from './Anlagen.tsx'
import {
  RECHNUNG,
  RECHNUNG_FIELDS,
  type RechnungDraft,
  type RechnungField,
  rechnungDraft,
  rechnungValues,
} from './rechnung-kind.ts'

const RECHNUNG_SPEC: DraftSpec<RechnungField, RechnungDraft> = {
  docKind: RECHNUNG_KIND,
  kind: RECHNUNG,
  defs: RECHNUNG_FIELDS,
  query: rechnungDraft,
  toPayload: rechnungValues,
  isDraft: ({ zustand }) => zustand === 'entwurf',
  name: ({ art, nummer }) => `${invoiceKindText(art)} ${nummer ?? ''}`,
  datum: 'rn_datum',
  otherNames: {
    datum: 'rn_datum',
    faellig: 'zahlungsziel',
    'summen.anzahlung': 'anzahlung',
    'empfaenger.bestellnummer': 'bestellnummer',
    ...MORE_NAMES,
  },
  fieldValuesOf,
  title: ({ art }) =>
    art === 'abschlag'
      ? t('Abschlagsrechnung schreiben')
      : art === 'schluss'
        ? t('Schlussrechnung schreiben')
        : RECHNUNG_KIND.words().write,
  kopf: ({ bind, form }, { art }) => (
    <>
      <DateField
        {...bind('le_date')}
        {...(art === 'abschlag' && { hint: t('voraussichtlich; leer, wenn noch nicht vereinbart') })}
      />
      <DateField {...bind('le_date_bis')} hint={t('nur bei mehreren Tagen')} />
      <TextField {...bind('ust_satz')} required unit="%" inputMode="decimal" autoComplete="off" />
      <TextField {...bind('bearbeiter')} maxLength={100} autoComplete="off" />
      <TextField
        {...bind('bestellnummer')}
        maxLength={100}
        autoComplete="off"
        hint={t('Standard: vom Kunden')}
      />
      <PlaceFields bind={bind} form={form} />
    </>
  ),
  terms: ({ bind, form, set }, { art, anzahlung }) => (
    <>
      <TextField
        {...bind('zahlungsziel')}
        unit={t('Tage')}
        inputMode="numeric"
        autoComplete="off"
        hint={t('Standard: vom Kunden')}
      />
      <SelectField
        {...bind('format')}
        emptyOption={t('wie beim Kunden')}
        options={(['zugferd', 'xrechnung', 'pdf'] as const).map((value) => ({
          value,
          label: formatText(value),
        }))}
      />
      <TextField
        {...bind('rabatt_prozent')}
        unit="%"
        inputMode="decimal"
        autoComplete="off"
        hint={t('Mit Minus ein Zuschlag: −5 sind 5 % mehr.')}
      />
      <TextField {...bind('rabatt_grund')} maxLength={200} autoComplete="off" />
      {art === 'rechnung' && Number(anzahlung) !== 0 && (
        <TextField
          {...bind('anzahlung')}
          unit="€"
          inputMode="decimal"
          autoComplete="off"
          hint={t('Von früher. Anzahlungen werden als Abschlagsrechnung zum Angebot geschrieben.')}
        />
      )}
      {art !== 'abschlag' && <SkontoWatch form={form} set={set} />}
      <ReferenceFields bind={bind} form={form} />
    </>
  ),
  beside: ({ id }) => <Anlagen invoice={id} />,
}
/** A correction is written on its own page. */
export function RechnungDraftPage() {
  const view = useView()
  const id = view.params['update_id'] ?? ''
  const { data } = useQuery(rechnungDraft(id))
  const isCorrection = data?.art === 'korrektur'
  useEffect(() => {
    if (isCorrection) view.go(RECHNUNG_KIND.record(id), { replace: true })
  }, [isCorrection, id, view])
  return isCorrection ? null : <DraftPage art={RECHNUNG_SPEC} />
}

function fieldValuesOf(wert: (field: RechnungField) => string | number | null): DraftValues {
  const text = (field: RechnungField) => String(wert(field) ?? '')
  const skonto = wert('skonto')
  const format = wert('format')
  return {
    beleg: {
      bearbeiter: text('bearbeiter'),
      datum: text('rn_datum'),
      le_date: wert('le_date') as string | null,
      le_date_bis: wert('le_date_bis') as string | null,
      anrede: text('anrede'),
      anschreiben: text('anschreiben'),
      zuerl: text('zuerl'),
      ust_satz: text('ust_satz'),
      rabatt_prozent: text('rabatt_prozent'),
      rabatt_grund: text('rabatt_grund'),
      ...(skonto !== null && { skonto: JSON.parse(String(skonto)) as BelegSkonto[] }),
      ...(format !== null && { format: format as RechnungFormat }),
      ...placeOf(wert),
    },
    bestellnummer: wert('bestellnummer') as string | null,
    verweise: referencesOf(wert),
    anzahlung: text('anzahlung'),
    zahlungsziel: wert('zahlungsziel') as number | null,
  }
}

function SkontoWatch({ form, set }: Pick<DraftFields<RechnungField>, 'form' | 'set'>) {
  const value = form.watch('skonto')
  return (
    <SkontoField
      value={value}
      error={form.formState.errors.skonto?.message}
      onChange={(text) => set('skonto', text)}
    />
  )
}
