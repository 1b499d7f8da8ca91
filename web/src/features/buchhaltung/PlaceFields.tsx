// Inputs that drafts of invoices and offers share: where the supply is taxed, and the buyer's numbers.
import { countryList } from '#domain/countries.ts'
import { PLACES } from '#domain/supply-place.ts'
import { SelectField, TextField } from '../../ui/Field.tsx'
import { t } from '../../ui/text.ts'
import type { DraftFields } from './draft-spec.ts'
import { type MoreField, placeText, REFERENCES } from './place-fields.ts'

type Props<F extends string> = Pick<DraftFields<F>, 'bind' | 'form'>
/** Both kinds of document have these fields. */
const shared = <F extends string>(fields: Props<F>) => fields as unknown as Props<MoreField>

export function PlaceFields<F extends string>(fields: Props<F>) {
  const { bind, form } = shared(fields)
  const place = form.watch('leistungsort')
  return (
    <>
      <SelectField
        {...bind('leistungsort')}
        emptyOption={t('wie beim Kunden')}
        options={PLACES.map((value) => ({ value, label: placeText(value) }))}
        hint={t('Danach richtet sich die Umsatzsteuer (§ 3a UStG).')}
      />
      {place === 'grundstueck_ausland' && (
        <SelectField
          {...bind('leistungsland')}
          emptyOption={t('bitte wählen')}
          options={countryList()
            .filter(({ code }) => code !== 'DE')
            .map(({ code, name }) => ({ value: code, label: name }))}
        />
      )}
    </>
  )
}

export function ReferenceFields<F extends string>(fields: Props<F>) {
  const { bind } = shared(fields)
  return (
    <>
      {REFERENCES.map((field) => (
        <TextField key={field} {...bind(field)} maxLength={100} autoComplete="off" hint={hintOf(field)} />
      ))}
    </>
  )
}
function hintOf(field: (typeof REFERENCES)[number]): string | undefined {
  switch (field) {
    case 'kaeufer_ref':
      return t('Was der Kunde statt einer Leitweg-ID nennt. Standard: vom Kunden')
    case 'vertrag_nr':
      return t('Standard: vom Kunden')
    default:
      return undefined
  }
}
