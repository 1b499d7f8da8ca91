// Inputs of a customer, in groups for various forms. Which field is in which group is declared with the field
// (domain/kunde-fields.ts).
import type { ReactElement, ReactNode } from 'react'
import type { UseFormReturn } from 'react-hook-form'
import { type AddressSuggestion, PLZ_SOURCE } from '#domain/address.ts'
import { BUNDESLAENDER, otherBundeslaender } from '#domain/address-bundesland.ts'
import { countryList, isPostcode, postcodeExample } from '#domain/countries.ts'
import type { Field } from '#domain/fields.ts'
import { KUNDE_FIELDS, kundeField } from '#domain/kunde-fields.ts'
import { Button } from '../../ui/Button.tsx'
import {
  FieldGroup,
  SelectField,
  type SelectFieldProps,
  TextField,
  type TextFieldProps,
} from '../../ui/Field.tsx'
import { PhoneLink } from '../../ui/PhoneLink.tsx'
import { t } from '../../ui/text.ts'
import { textOf } from '../declared.ts'
import './kunde-form.css'
import { FORM_FIELDS, type FormField, fieldLabel } from './kunde-fields.ts'
import type { InputKind, KundeValues } from './kunde-form.ts'
import { SALUTATIONS, EPSG_CODES, epsgName } from './kunde-values.ts'
import { usePlz } from './use-plz.ts'

interface Props {
  form: UseFormReturn<KundeValues>
}
type Bound = ReturnType<typeof bind>
const asOptions = (list: readonly string[]) => list.map((value) => ({ value, label: t(value) }))

/** Props shared by every input of the form. */
function bind({ register, formState }: UseFormReturn<KundeValues>, column: FormField) {
  const field = kundeField(column)
  return {
    label: fieldLabel(column),
    error: formState.errors[column]?.message,
    hint: textOf(field, 'hint') as ReactNode,
    ...register(column),
  }
}

const text = (field: Field, props: TextFieldProps) => (
  <TextField required={field.missing !== undefined} {...props} maxLength={field.longest} autoComplete="off" />
)
const select = (props: SelectFieldProps) => <SelectField {...props} emptyOption={t('keine Angabe')} />

/** The input of a field, by its kind. */
const INPUTS: Readonly<Record<InputKind, (field: Field, bound: Bound) => ReactElement>> = {
  line: text,
  plz: (field, bound) => text(field, { ...bound, inputMode: 'numeric' }),
  country: (_, bound) => (
    <SelectField {...bound} options={countryList().map(({ code, name }) => ({ value: code, label: name }))} />
  ),
  phone: (field, bound) => text(field, { ...bound, type: 'tel' }),
  land: (_, bound) => select({ ...bound, options: asOptions(BUNDESLAENDER) }),
  gender: (_, bound) => select({ ...bound, options: asOptions(SALUTATIONS) }),
  epsg: (_, bound) => (
    <SelectField
      {...bound}
      options={EPSG_CODES.map((code) => ({ value: String(code), label: epsgName(code) }))}
    />
  ),
}

function KundeInput({ form, column }: Props & { column: FormField }) {
  const field = kundeField(column)
  const { kind } = KUNDE_FIELDS[column]
  const number = kind === 'phone' ? (form.formState.defaultValues?.[column] ?? '') : ''
  const input = INPUTS[kind](field, {
    ...bind(form, column),
    ...(number !== '' && { hint: <PhoneLink number={number}>{t('Anrufen')}</PhoneLink> }),
  })
  return field.wide ? <div className="kunde-wide">{input}</div> : input
}

const inputsOf = (group: string): readonly FormField[] =>
  FORM_FIELDS.filter((column) => KUNDE_FIELDS[column].input === group)

export const AddressFields = ({ form }: Props) => (
  <FieldGroup title={t('Adresse')}>
    {inputsOf('address').map((column) =>
      column === 'plz' ? (
        <PlzAndOrt key={column} form={form} />
      ) : column === 'bundesland' ? (
        <BundeslandField key={column} form={form} />
      ) : column === 'ort' ? null : (
        <KundeInput key={column} form={form} column={column} />
      ),
    )}
  </FieldGroup>
)

/** Side by side, because the postcode suggests the Ort. */
function PlzAndOrt({ form }: Props) {
  const { proposal, misfit, unknown } = usePlz(form)
  const land = form.watch('land')
  const example = postcodeExample(land)
  const home = land === 'DE'
  const mayLack = isPostcode(land, '')
  const places = proposal?.orte ?? []
  const take = (ort: string) => form.setValue('ort', ort, { shouldDirty: true, shouldValidate: true })
  return (
    <>
      <div className="kunde-plz-ort">
        {text(kundeField('plz'), {
          ...bind(form, 'plz'),
          ...(home && { inputMode: 'numeric' }),
          required: !mayLack,
          hint: unknown
            ? t('Diese PLZ steht nicht im Verzeichnis. Bitte prüfen.')
            : mayLack
              ? t('Darf in diesem Land leer bleiben.')
              : !home && example !== null && t('Zum Beispiel {plz}.', { plz: example }),
        })}
        {text(kundeField('ort'), {
          ...bind(form, 'ort'),
          list: places.length > 1 ? 'kunde-orte' : undefined,
          hint:
            land === 'IT'
              ? t('Mit dem Kürzel der Provinz, zum Beispiel Bozen BZ.')
              : places.length > 0 && <OrtHint orte={places} misfit={misfit} onTake={take} />,
        })}
      </div>
      {places.length > 1 && (
        <datalist id="kunde-orte">
          {places.map((ort) => (
            <option key={ort} value={ort}>
              {ort}
            </option>
          ))}
        </datalist>
      )}
    </>
  )
}

interface OrtHintProps {
  orte: AddressSuggestion['orte']
  misfit: boolean
  onTake: (ort: string) => void
}
const OrtHint = ({ orte, misfit, onTake }: OrtHintProps) => (
  <span className="kunde-plz-hint">
    {misfit ? t('Zu dieser PLZ gehört:') : orte.length > 1 ? t('Orte dieser PLZ:') : null}
    {(misfit || orte.length > 1) &&
      orte.slice(0, 4).map((ort) => (
        <Button key={ort} size="small" onClick={() => onTake(ort)}>
          {ort}
        </Button>
      ))}
    <a href={PLZ_SOURCE.url} target="_blank" rel="noopener noreferrer">
      {t(PLZ_SOURCE.text)}
    </a>
  </span>
)

/**
 * A hint only: a customer may be looked after by another state than that of the address. Customers abroad have
 * none.
 */
export function BundeslandField({ form }: Props) {
  const [plz, land, country] = form.watch(['plz', 'bundesland', 'land'])
  if (country !== 'DE') return null
  const states = otherBundeslaender(plz, land)
  return select({
    ...bind(form, 'bundesland'),
    options: asOptions(BUNDESLAENDER),
    hint:
      states.length > 0 &&
      t('Die PLZ {plz} liegt in {land}. Bitte prüfen.', {
        plz: plz.trim(),
        land: states.map((one) => t(one)).join(t(' oder ')),
      }),
  })
}

export const ContactFields = ({ form }: Props) => (
  <FieldGroup title={t('Ansprechpartner')}>
    {inputsOf('contact').map((column) => (
      <KundeInput key={column} form={form} column={column} />
    ))}
  </FieldGroup>
)

export const SettingFields = ({ form }: Props) => (
  <FieldGroup title={t('Einstellungen')}>
    {inputsOf('settings').map((column) => (
      <KundeInput key={column} form={form} column={column} />
    ))}
  </FieldGroup>
)
