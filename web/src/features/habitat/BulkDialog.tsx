// Changes many trees at once; fields left alone are labelled as unchanged.
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { HabitatBulkFields } from '#contract/habitat.ts'
import { parseNumber } from '#domain/import-values.ts'
import { rpc } from '../../data/rpc.ts'
import type { Betrieb } from '../../list/betrieb.data.ts'
import { messageOf } from '../../record/record-faults.ts'
import { DateField } from '../../ui/DateField.tsx'
import { Checkbox, FieldGroup, SelectField, TextField } from '../../ui/Field.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { formatDate, formatNumber } from '../../ui/format.ts'
import { dayExpected, parseDay } from '../../ui/parse-day.ts'
import { t } from '../../ui/text.ts'
import { dayAhead, today } from '../../ui/today.ts'
import { toast } from '../../ui/toasts.ts'
import { useUnsavedChanges } from '../../ui/unsaved.ts'
import type { TableRow } from './habitat-list.tsx'
import { treeKey, HABITAT_LISTS } from './habitat.data.ts'
import {
  LEVEL_FIELDS,
  fieldLabel,
  MARKS,
  markName,
  STATUS,
  statusName,
  STATES,
  stateName,
} from '../../record/habitat/habitat-words.ts'
import { EMPTY_BULK, bulkFaults, type BulkValues, bulkFieldsOf } from './bulk.ts'

interface Props {
  betrieb: Betrieb
  rows: readonly TableRow[]
  onDone: () => void
  onClose: () => void
}

export function BulkDialog({ betrieb, rows, onDone, onClose }: Props) {
  const client = useQueryClient()
  const [start] = useState<BulkValues>(() => ({ ...EMPTY_BULK, markierung_datum: formatDate(today()) }))
  const [werte, setValues] = useState(start)
  const [busy, setBusy] = useState(false)
  const [asked, setAsked] = useState(false)
  const [fault, setFault] = useState<string | null>(null)
  const changed: HabitatBulkFields = bulkFieldsOf(werte)
  const dirty = Object.keys(changed).length > 0
  const disarm = useUnsavedChanges(dirty)
  const faults = bulkFaults(werte, {
    tag: (text) => {
      const day = parseDay(text)
      return day === null
        ? dayExpected()
        : day <= dayAhead(1) && day >= '1950-01-01'
          ? undefined
          : t('Bitte einen Tag zwischen 1950 und heute.')
    },
    stand: (text) => {
      const number = Number(parseNumber(text) ?? Number.NaN)
      return Number.isInteger(number) && number >= 0 && number <= 1_000_000
        ? undefined
        : t('Bitte eine ganze Zahl von 0 bis 1.000.000.')
    },
  })
  const set = (change: Partial<BulkValues>) => setValues({ ...werte, ...change })
  const anzahl = formatNumber(rows.length)
  async function save(): Promise<void> {
    setAsked(true)
    if (Object.values(faults).some((one) => one !== undefined)) return
    setBusy(true)
    setFault(null)
    try {
      const n = await rpc(
        '__o_change_habitatbaeume',
        { ids: rows.map(({ id }) => id), werte: changed },
        { timeoutMs: 120_000 },
      )
      for (const { id } of rows) void client.invalidateQueries({ queryKey: treeKey(id) })
      void client.invalidateQueries({ queryKey: HABITAT_LISTS })
      disarm()
      toast.success(
        n === 1
          ? t('1 Habitatbaum ist geändert.')
          : t('{n} Habitatbäume sind geändert.', { n: formatNumber(n) }),
      )
      onDone()
      onClose()
    } catch (error) {
      setFault(messageOf(error))
      setBusy(false)
    }
  }
  const same = t('nicht ändern')
  return (
    <FormDialog
      title={rows.length === 1 ? t('1 Habitatbaum ändern') : t('{n} Habitatbäume ändern', { n: anzahl })}
      submitLabel={rows.length === 1 ? t('Ändern') : t('{n} Bäume ändern', { n: anzahl })}
      busy={busy}
      disabled={!dirty}
      dirty={dirty}
      unsaved={t('Die Bäume sind noch nicht geändert.')}
      fault={fault}
      faultTitle={t('Nichts wurde geändert')}
      className="record-form"
      onSubmit={save}
      onClose={onClose}
    >
      <FieldGroup
        title={t('Baum')}
        hint={t('Es gilt für alle ausgewählten Bäume: entweder werden alle geändert oder keiner.')}
      >
        <SelectField
          label={fieldLabel('status')}
          emptyOption={same}
          value={werte.status}
          options={STATUS.map((value) => ({ value, label: statusName(value) }))}
          onChange={({ target }) => set({ status: target.value as BulkValues['status'] })}
        />
        <SelectField
          label={fieldLabel('zustand')}
          emptyOption={same}
          value={werte.zustand}
          options={STATES.map((value) => ({ value, label: stateName(value) }))}
          onChange={({ target }) => set({ zustand: target.value as BulkValues['zustand'] })}
        />
        <SelectField
          label={t('Förderung (KAWM)')}
          emptyOption={same}
          value={werte.kawm}
          options={[
            { value: 'ja', label: t('zählt') },
            { value: 'nein', label: t('zählt nicht') },
          ]}
          onChange={({ target }) => set({ kawm: target.value as BulkValues['kawm'] })}
        />
      </FieldGroup>
      <FieldGroup title={fieldLabel('markierung_art')}>
        <SelectField
          label={fieldLabel('markierung_art')}
          emptyOption={same}
          value={werte.markierung}
          options={[
            ...MARKS.map((value) => ({ value, label: markName(value) })),
            { value: 'keine', label: t('nicht markiert') },
          ]}
          onChange={({ target }) => set({ markierung: target.value as BulkValues['markierung'] })}
        />
        {werte.markierung !== '' && werte.markierung !== 'keine' && (
          <DateField
            label={fieldLabel('markierung_datum')}
            value={werte.markierung_datum}
            error={asked ? faults.markierung_datum : undefined}
            onChange={({ target }) => set({ markierung_datum: target.value })}
          />
        )}
      </FieldGroup>
      <FieldGroup title={t('Forstliche Adresse')}>
        <div className="habitat-breit">
          <Checkbox
            label={t('Adresse aller Bäume setzen')}
            hint={t('Was Sie leer lassen, wird dabei geleert.')}
            checked={werte.adresse}
            onChange={({ target }) => set({ adresse: target.checked })}
          />
        </div>
        {werte.adresse &&
          LEVEL_FIELDS.map((feld, at) =>
            betrieb.ebenen[at] === '' ? null : (
              <TextField
                key={feld}
                label={fieldLabel(feld, betrieb.ebenen)}
                maxLength={60}
                autoComplete="off"
                value={werte[feld]}
                onChange={({ target }) => set({ [feld]: target.value })}
              />
            ),
          )}
        {werte.adresse && (
          <TextField
            label={fieldLabel('iSTAND')}
            inputMode="numeric"
            maxLength={9}
            autoComplete="off"
            value={werte.iSTAND}
            error={asked ? faults.iSTAND : undefined}
            onChange={({ target }) => set({ iSTAND: target.value })}
          />
        )}
      </FieldGroup>
    </FormDialog>
  )
}
