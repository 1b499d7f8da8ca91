// Inputs of a plan in groups, used by the forms for an existing and for a new plan.
import { useQuery } from '@tanstack/react-query'
import { useDeferredValue } from 'react'
import { useWatch, type FieldValues, type Path, type UseFormReturn } from 'react-hook-form'
import { EPSG_CODES, epsgName } from '#domain/epsg.ts'
import { Notice } from '../../ui/Display.tsx'
import { Checkbox, FieldGroup, SelectField, TextAreaField, TextField } from '../../ui/Field.tsx'
import { t } from '../../ui/text.ts'
import type { KarteValues, RegisterValues } from './karte-form.ts'
import { type SameNumber, sameNumberQuery, MOST_NAMED } from './karte.data.ts'
import {
  answerName,
  CLIENT_STATUS,
  DIN,
  dinName,
  fieldLabel,
  STATUS,
  statusName,
  types,
  viewText,
} from './karte-words.ts'

/** Props shared by every input of the form. */
function bind<V extends FieldValues>({ register, formState }: UseFormReturn<V>, field: Path<V>) {
  const error = formState.errors[field]?.message
  return {
    label: fieldLabel(field),
    error: typeof error === 'string' ? error : undefined,
    ...register(field),
  }
}

interface Props {
  form: UseFormReturn<RegisterValues>
  client_id: number | null
  /** Excludes the plan itself from the duplicates. */
  id?: number
  /** For several new plans at once, which share everything but the name. */
  withoutName?: boolean
}

export function RegisterFields({ form, client_id, id, withoutName = false }: Props) {
  return (
    <>
      <FieldGroup title={t('Register')}>
        {!withoutName && (
          <div className="karte-wide">
            <TextField {...bind(form, 'map_name')} required maxLength={200} autoComplete="off" />
          </div>
        )}
        <TextField {...bind(form, 'typ')} maxLength={100} autoComplete="off" list="karte-typen" />
        <datalist id="karte-typen">
          {types().map((kind) => (
            <option key={kind} value={kind}>
              {kind}
            </option>
          ))}
        </datalist>
        <TextField {...bind(form, 'auftr_nr')} maxLength={100} autoComplete="off" />
        <TextField {...bind(form, 'reg_nr')} maxLength={100} autoComplete="off" />
        <Duplicates form={form} client_id={client_id} id={id ?? null} />
        <TextField {...bind(form, 'jahr')} inputMode="numeric" maxLength={4} autoComplete="off" />
        <TextField {...bind(form, 'scale')} autoComplete="off" placeholder="1:2500" maxLength={20} />
        <SelectField
          {...bind(form, 'din')}
          emptyOption={t('keine Angabe')}
          options={DIN.map((din) => ({ value: din, label: dinName(din) }))}
        />
        <TextField {...bind(form, 'ausf_unternehmen')} maxLength={200} autoComplete="off" />
      </FieldGroup>
      <FieldGroup title={t('Lage')}>
        <TextField {...bind(form, 'kreis')} maxLength={100} autoComplete="off" />
        <TextField {...bind(form, 'gemeinde')} maxLength={100} autoComplete="off" />
        <TextField {...bind(form, 'gemarkung')} maxLength={100} autoComplete="off" />
        <SelectField
          {...bind(form, 'epsg')}
          emptyOption={t('bitte wählen')}
          options={EPSG_CODES.map((code) => ({ value: String(code), label: epsgName(code) }))}
          hint={
            id === undefined
              ? t('Vorgeschlagen wird das System des Kunden.')
              : t('In diesem System stehen die Passpunkte. Schon gesetzte werden nicht umgerechnet.')
          }
        />
      </FieldGroup>
    </>
  )
}

/**
 * An order number may have several sheets, which is worth knowing; a register number belongs to one sheet.
 */
function Duplicates({
  form,
  client_id,
  id,
}: {
  form: UseFormReturn<RegisterValues>
  client_id: number | null
  id: number | null
}) {
  const [orderNumber, registerNumber] = useWatch({ control: form.control, name: ['auftr_nr', 'reg_nr'] })
  const [jobSpec, register] = [
    useDeferredValue((orderNumber ?? '').trim()),
    useDeferredValue((registerNumber ?? '').trim()),
  ]
  const sameOrder = useQuery(sameNumberQuery(client_id ?? 0, 'auftr_nr', jobSpec, id)).data ?? []
  const sameRegister = useQuery(sameNumberQuery(client_id ?? 0, 'reg_nr', register, id)).data ?? []
  return (
    <>
      {sameRegister.length > 0 && (
        <div className="karte-wide">
          <Notice tone="warning" title={t('Diese Registernummer hat schon ein anderer Plan dieses Kunden')}>
            <Plans plans={sameRegister} />
          </Notice>
        </div>
      )}
      {sameOrder.length > 0 && (
        <div className="karte-wide soft karte-auftrag">
          <span>{t('Weitere Pläne dieses Auftrags:')}</span>
          <Plans plans={sameOrder} />
        </div>
      )}
    </>
  )
}
function Plans({ plans }: { plans: readonly SameNumber[] }) {
  return (
    <span className="karte-auftrag">
      {plans.slice(0, MOST_NAMED).map((plan) => (
        <a key={plan.id} href={`/karten/${plan.id}`} target="_blank" rel="noreferrer">
          {plan.map_name}
        </a>
      ))}
      {plans.length > MOST_NAMED && <span>{t('und weitere')}</span>}
    </span>
  )
}

export function WorkFields({ form }: { form: UseFormReturn<KarteValues> }) {
  return (
    <FieldGroup title={t('Bearbeitung')}>
      <SelectField
        {...bind(form, 'status')}
        options={STATUS.map((value) => ({ value, label: statusName(value) }))}
      />
      <div className="karte-wide">
        <TextAreaField
          {...bind(form, 'bem_apus')}
          maxLength={4000}
          hint={t('Nur für die Vermessung. Kunden sehen diese Bemerkung nie.')}
        />
      </div>
    </FieldGroup>
  )
}

/** What the customer will see and the message to them, summarized in a sentence before saving. */
export function KundeViewFields({
  form,
  kunde,
  bem_client,
}: {
  form: UseFormReturn<KarteValues>
  kunde: string
  bem_client: string | null
}) {
  const [show_client, status, customerRemark] = useWatch({
    control: form.control,
    name: ['show_client', 'status', 'bem_to_client'],
  })
  const { label, error, ...shown } = bind(form, 'show_client')
  return (
    <FieldGroup title={t('Kundensicht')}>
      <div className="karte-wide">
        <Checkbox label={label} {...(error !== undefined && { error })} {...shown} />
        <output className="karte-sicht">
          {viewText(
            { show_client, status: status as (typeof STATUS)[number], bem_to_client: customerRemark },
            kunde,
          )}
        </output>
      </div>
      <div className="karte-wide">
        <TextAreaField
          {...bind(form, 'bem_to_client')}
          maxLength={4000}
          hint={t(
            'Der Kunde liest sie auf der Seite des Plans und wird benachrichtigt, sobald der Plan für ' +
              'ihn sichtbar ist.',
          )}
        />
      </div>
      <SelectField
        {...bind(form, 'client_status')}
        options={CLIENT_STATUS.map((value) => ({ value, label: answerName(value) }))}
        hint={t('Setzt der Kunde selbst. Stellen Sie sie zurück, wenn er noch einmal antworten soll.')}
      />
      {bem_client !== null && (
        <div className="karte-wide">
          <p className="field-label">{fieldLabel('bem_client')}</p>
          <blockquote className="karte-zitat">{bem_client}</blockquote>
        </div>
      )}
    </FieldGroup>
  )
}
