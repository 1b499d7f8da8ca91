// Changes many trees at once; fields left alone are labelled as unchanged.
import { LEVEL_FIELDS } from '#domain/habitatbaum-fields.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { HabitatBulkFields } from '#contract/habitat.ts'
import { rpc } from '../../data/rpc.ts'
import type { Betrieb } from '../../list/betrieb.data.ts'
import { messageOf } from '../../record/record-faults.ts'
import { DateField } from '../../ui/DateField.tsx'
import { Checkbox, FieldGroup, SelectField, TextField } from '../../ui/Field.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { formatDate, formatNumber } from '../../ui/format.ts'
import { t } from '../../ui/text.ts'
import { today } from '../../ui/today.ts'
import { toast } from '../../ui/toasts.ts'
import { useUnsavedChanges } from '../../ui/unsaved.ts'
import type { TableRow } from './habitat-list.tsx'
import { treeKey, HABITAT_LISTS } from './habitat.data.ts'
import {
  fieldLabel,
  MARKS,
  markName,
  STATUSES,
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

export function BulkDialog(props: Props) {
  const { betrieb, rows, onClose } = props
  const [values, setValues] = useState<BulkValues>(() => ({
    ...EMPTY_BULK,
    markierung_datum: formatDate(today()),
  }))
  const changed = bulkFieldsOf(values)
  const dirty = Object.keys(changed).length > 0
  const faults = bulkFaults(values)
  const { busy, asked, fault, save } = useBulkSave(props, changed, faults)
  const set = (change: Partial<BulkValues>) => setValues({ ...values, ...change })
  const parts: PartProps = { betrieb, werte: values, faults: asked ? faults : NO_FAULTS, set }
  const count = formatNumber(rows.length)
  return (
    <FormDialog
      title={rows.length === 1 ? t('1 Habitatbaum ändern') : t('{n} Habitatbäume ändern', { n: count })}
      submitLabel={rows.length === 1 ? t('Ändern') : t('{n} Bäume ändern', { n: count })}
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
      <TreePart {...parts} />
      <MarkPart {...parts} />
      <AddressPart {...parts} />
    </FormDialog>
  )
}

type Faults = ReturnType<typeof bulkFaults>
const NO_FAULTS: Faults = { markierung_datum: undefined, iSTAND: undefined }

/** Faults are shown once somebody tried to save. */
function useBulkSave({ rows, onDone, onClose }: Props, changed: HabitatBulkFields, faults: Faults) {
  const client = useQueryClient()
  const [busy, setBusy] = useState(false)
  const [asked, setAsked] = useState(false)
  const [fault, setFault] = useState<string | null>(null)
  const disarm = useUnsavedChanges(Object.keys(changed).length > 0)
  async function save(): Promise<void> {
    setAsked(true)
    if (Object.values(faults).some((one) => one !== undefined)) return
    setBusy(true)
    setFault(null)
    try {
      const ids = rows.map(({ id }) => id)
      const n = await rpc('__o_change_habitatbaeume', { ids, werte: changed }, { timeoutMs: 120_000 })
      for (const id of ids) void client.invalidateQueries({ queryKey: treeKey(id) })
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
  return { busy, asked, fault, save }
}

interface PartProps {
  betrieb: Betrieb
  werte: BulkValues
  faults: Faults
  set: (change: Partial<BulkValues>) => void
}

function TreePart({ werte, set }: PartProps) {
  const same = t('nicht ändern')
  return (
    <FieldGroup
      title={t('Baum')}
      hint={t('Es gilt für alle ausgewählten Bäume: entweder werden alle geändert oder keiner.')}
    >
      <SelectField
        label={fieldLabel('status')}
        emptyOption={same}
        value={werte.status}
        options={STATUSES.map((value) => ({ value, label: statusName(value) }))}
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
  )
}

function MarkPart({ werte, faults, set }: PartProps) {
  return (
    <FieldGroup title={fieldLabel('markierung_art')}>
      <SelectField
        label={fieldLabel('markierung_art')}
        emptyOption={t('nicht ändern')}
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
          error={faults.markierung_datum}
          onChange={({ target }) => set({ markierung_datum: target.value })}
        />
      )}
    </FieldGroup>
  )
}

function AddressPart({ betrieb, werte, faults, set }: PartProps) {
  return (
    <FieldGroup title={t('Forstliche Adresse')}>
      <div className="habitat-breit">
        <Checkbox
          label={t('Adresse aller Bäume setzen')}
          hint={t('Felder, die Sie leer lassen, werden geleert.')}
          checked={werte.adresse}
          onChange={({ target }) => set({ adresse: target.checked })}
        />
      </div>
      {werte.adresse &&
        LEVEL_FIELDS.map((field, at) =>
          betrieb.ebenen[at] === '' ? null : (
            <TextField
              key={field}
              label={fieldLabel(field, betrieb.ebenen)}
              maxLength={60}
              autoComplete="off"
              value={werte[field]}
              onChange={({ target }) => set({ [field]: target.value })}
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
          error={faults.iSTAND}
          onChange={({ target }) => set({ iSTAND: target.value })}
        />
      )}
    </FieldGroup>
  )
}
