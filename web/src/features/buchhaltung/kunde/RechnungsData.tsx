// How a customer is billed: format, reference numbers, where invoices go, terms. For apus_admin only.
import { useQuery } from '@tanstack/react-query'
import type { FieldErrors, Resolver } from 'react-hook-form'
import { countryList, countryName } from '#domain/countries.ts'
import { formatGerman, decimal } from '#domain/geld.ts'
import { type Place, PLACES } from '#domain/supply-place.ts'
import { RecordConflict, RecordForm } from '../../../record/RecordForm.tsx'
import type { RecordKind } from '../../../record/record-kind.ts'
import { useRecordForm } from '../../../record/use-record-form.ts'
import { Card, DateText, Notice } from '../../../ui/Display.tsx'
import { Checkbox, FieldGroup, SelectField, TextField } from '../../../ui/Field.tsx'
import { EmptyState, ErrorState, Skeleton } from '../../../ui/States.tsx'
import { t } from '../../../ui/text.ts'
import { parseSkontoText } from '../draft-fields.ts'
import { formatText } from '../draft-words.ts'
import { placeText } from '../place-fields.ts'
import { SkontoField } from '../SkontoField.tsx'
import { Mandates } from '../sepa/Mandates.tsx'
import '../beleg.css'
import {
  checkRechnungData,
  type DataField,
  FIELDS,
  FORMATS,
  stillMissing,
  type DataRecord,
  recordOf,
  SYNTAX_OPTIONS,
  type TextFieldName,
  tidied,
  type Values,
} from './rechnungs-data-form.ts'
import { rechnungDataQuery, rechnungDataHistoryQuery, useSaveRechnungData } from './rechnungs-data.data.ts'

function fieldLabel(field: DataField): string {
  switch (field) {
    case 'rechnungsformat':
      return t('Format der Rechnungen')
    case 'syntax':
      return t('Syntax der XRechnung')
    case 'leitweg_id':
      return t('Leitweg-ID')
    case 'bestellnummer':
      return t('Bestellnummer')
    case 'rechnung_mail':
      return t('E-Mail für Rechnungen')
    case 'ust_id':
      return t('USt-IdNr.')
    case 'leistungsort':
      return t('Ort der Leistung')
    case 'leistungsland':
      return t('Land des Grundstücks')
    case 'kaeufer_ref':
      return t('Referenz des Kunden')
    case 'vertrag_nr':
      return t('Vertragsnummer')
    case 'ist_privat':
      return t('Privatperson')
    case 'zahlungsziel':
      return t('Zahlungsziel')
    case 'skonto':
      return t('Skonto')
    case 'debitor':
      return t('Debitorenkonto (DATEV)')
  }
}

function skontoText(value: unknown): string {
  const tiers =
    typeof value === 'string'
      ? parseSkontoText(value)
      : Array.isArray(value)
        ? (value as { tage: number; prozent: string }[]).map(
            ({ tage, prozent }) => [String(tage), formatGerman(decimal(prozent))] as const,
          )
        : null
  if (tiers === null) return t('wie in den Einstellungen')
  if (tiers.length === 0) return t('kein Skonto')
  return tiers
    .map(([days, percent]) => t('{tage} Tage {prozent} %', { tage: days, prozent: percent }))
    .join(', ')
}
function show(field: DataField, value: unknown): string {
  if (typeof value === 'boolean') return value ? t('ja') : t('nein')
  if (field === 'skonto') return skontoText(value)
  if (field === 'rechnungsformat') return formatText(String(value))
  if (field === 'syntax') return String(value).toUpperCase()
  if (field === 'leistungsort' && value) return placeText(value as Place)
  if (field === 'leistungsland') return countryName(String(value ?? ''))
  return value === null || value === undefined ? '' : String(value)
}

const resolver: Resolver<Values> = (values) => {
  const faults = Object.entries(checkRechnungData(values))
  if (faults.length === 0) return { values, errors: {} }
  return {
    values: {},
    errors: Object.fromEntries(
      faults.map(([field, message]) => [field, { type: 'check', message }]),
    ) as FieldErrors<Values>,
  }
}
const kindOf = (id: string): RecordKind<DataField, DataRecord, Values> => ({
  draftOf: () => `kunde_rechnung/${id}`,
  fields: FIELDS,
  resolver,
  toValues: (row) => Object.fromEntries(FIELDS.map((field) => [field, row[field]])) as Values,
  toFields: tidied,
  label: fieldLabel,
  show,
  check: () => undefined,
  changedBy: (values) =>
    t(
      '{who} hat diese Angaben am {when} geändert, während Sie sie bearbeitet haben. Noch ist nichts ' +
        'überschrieben: Wählen Sie für jedes Feld, welcher Wert gelten soll.',
      values,
    ),
})

export function RechnungsData({ id }: { id: string }) {
  const query = useQuery(rechnungDataQuery(id))
  if (query.isError && query.data === undefined)
    return (
      <Card>
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      </Card>
    )
  if (query.data === undefined)
    return (
      <Card>
        <Skeleton lines={8} />
      </Card>
    )
  return (
    <div className="stack">
      <FormBody key={id} id={id} row={recordOf(query.data)} isNew={query.data === null} />
      <Mandates id={id} />
      <ChangeHistory id={id} />
    </div>
  )
}

function FormBody({ id, row, isNew }: { id: string; row: DataRecord; isNew: boolean }) {
  const editor = useRecordForm(kindOf(id), row, useSaveRechnungData(id))
  const { register, formState, watch, setValue } = editor.form
  const values = watch()
  const missing = stillMissing(values)
  const text = (field: TextFieldName) => ({
    label: fieldLabel(field),
    autoComplete: 'off',
    error: formState.errors[field]?.message,
    ...register(field),
  })
  return (
    <Card title={t('So werden Rechnungen an diesen Kunden gestellt')}>
      <div className="stack">
        {isNew && (
          <p className="soft">
            {t('Noch nichts Eigenes festgelegt: Es gelten die Einstellungen der Buchhaltung.')}
          </p>
        )}
        <RecordForm editor={editor} label={t('Rechnungsangaben')}>
          <FieldGroup
            title={t('Rechnung')}
            hint={t('Ausgestellte Rechnungen bleiben, wie sie sind; Änderungen gelten für die nächsten.')}
          >
            <SelectField
              {...text('rechnungsformat')}
              options={FORMATS.map((value) => ({ value, label: formatText(value) }))}
            />
            {values.rechnungsformat === 'xrechnung' && (
              <SelectField
                {...text('syntax')}
                options={SYNTAX_OPTIONS.map((value) => ({ value, label: value.toUpperCase() }))}
                hint={t('Beide sagen dasselbe. UBL nur, wenn der Kunde es verlangt.')}
              />
            )}
            <TextField
              {...text('leitweg_id')}
              maxLength={60}
              spellCheck={false}
              hint={t('Adresse einer Behörde für E-Rechnungen, zum Beispiel 04011000-1234512345-06.')}
            />
            <TextField
              {...text('bestellnummer')}
              maxLength={100}
              hint={t('Steht auf jeder Rechnung, wenn der Beleg keine eigene nennt.')}
            />
            <TextField
              {...text('kaeufer_ref')}
              maxLength={100}
              hint={t('Was der Kunde statt einer Leitweg-ID nennt, zum Beispiel eine Kostenstelle.')}
            />
            <TextField {...text('vertrag_nr')} maxLength={100} />
            <TextField
              {...text('rechnung_mail')}
              type="email"
              maxLength={254}
              hint={t('Dorthin gehen Angebote und Rechnungen.')}
            />
          </FieldGroup>
          {missing !== null && <Notice tone="warning">{missing}</Notice>}
          <FieldGroup title={t('Steuer')}>
            <TextField {...text('ust_id')} maxLength={30} spellCheck={false} />
            <SelectField
              {...text('leistungsort')}
              emptyOption={t('nicht festgelegt')}
              options={PLACES.map((value) => ({ value, label: placeText(value) }))}
              hint={t(
                'Gilt für Belege, die keinen eigenen nennen. Danach richtet sich die Umsatzsteuer (§ 3a UStG).',
              )}
            />
            {values.leistungsort === 'grundstueck_ausland' && (
              <SelectField
                {...text('leistungsland')}
                emptyOption={t('bitte wählen')}
                options={countryList()
                  .filter(({ code }) => code !== 'DE')
                  .map(({ code, name }) => ({ value: code, label: name }))}
              />
            )}
            <Checkbox
              label={fieldLabel('ist_privat')}
              hint={t(
                'Bei Arbeiten an Grundstücken druckt die Rechnung dann den Hinweis, dass sie zwei Jahre ' +
                  'aufzubewahren ist (§ 14 Abs. 4 Nr. 9 UStG).',
              )}
              {...register('ist_privat')}
            />
          </FieldGroup>
          <FieldGroup
            title={t('Zahlung')}
            hint={t('Leer gelassen gelten die Einstellungen der Buchhaltung.')}
          >
            <TextField {...text('zahlungsziel')} unit={t('Tage')} inputMode="numeric" maxLength={3} />
            <TextField {...text('debitor')} inputMode="numeric" maxLength={9} />
            <SkontoField
              value={values.skonto}
              error={formState.errors.skonto?.message}
              words={{ ohne: t('wie in den Einstellungen'), own: t('eigenes für diesen Kunden') }}
              onChange={(next) =>
                setValue('skonto', next, { shouldDirty: true, shouldTouch: true, shouldValidate: true })
              }
            />
          </FieldGroup>
        </RecordForm>
      </div>
      <RecordConflict editor={editor} />
    </Card>
  )
}

const isField = (field: string): field is DataField => (FIELDS as readonly string[]).includes(field)

/** Who changed what and when, from the audit chain. */
function ChangeHistory({ id }: { id: string }) {
  const query = useQuery(rechnungDataHistoryQuery(id))
  return (
    <Card title={t('Verlauf der Rechnungsangaben')}>
      {query.isPending ? (
        <Skeleton lines={3} />
      ) : query.isError && query.data === undefined ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      ) : query.data.length === 0 ? (
        <EmptyState icon="history" title={t('Noch keine Änderungen')} />
      ) : (
        <ol className="beleg-log">
          {query.data.map(({ nr, zeit, wer, inhalt }) => (
            <li key={nr}>
              <DateText value={zeit} time />
              <span className="soft">{wer ?? t('ohne Namen')}</span>
              <ul className="beleg-lines beleg-log-more">
                {Object.entries(inhalt)
                  .filter(
                    (entry): entry is [DataField, unknown[]] => isField(entry[0]) && Array.isArray(entry[1]),
                  )
                  .map(([field, [before, after]]) => (
                    <li key={field}>
                      {t('{feld}: {vorher} → {nachher}', {
                        feld: fieldLabel(field),
                        vorher: show(field, before) || t('leer'),
                        nachher: show(field, after) || t('leer'),
                      })}
                    </li>
                  ))}
              </ul>
            </li>
          ))}
        </ol>
      )}
    </Card>
  )
}
