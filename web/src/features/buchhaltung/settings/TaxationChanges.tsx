// When the way of taxation changes: from which month on, and to what.
import {
  taxationFault,
  type TaxationChange,
  type TaxationFault,
  taxationOn,
  type TaxationSetting,
} from '#domain/ust/taxation.ts'
import { useState } from 'react'
import { unlessFaulty } from '../../../record/dialog-form.ts'
import { messageOf } from '../../../record/record-faults.ts'
import { useDialogForm } from '../../../record/use-dialog-form.ts'
import { Button } from '../../../ui/Button.tsx'
import { DateField } from '../../../ui/DateField.tsx'
import { Card } from '../../../ui/Display.tsx'
import { SelectField } from '../../../ui/Field.tsx'
import { FormDialog } from '../../../ui/FormDialog.tsx'
import { formatDate } from '../../../ui/format.ts'
import { parseDay } from '../../../ui/parse-day.ts'
import { t } from '../../../ui/text.ts'
import { toast } from '../../../ui/toasts.ts'
import { today } from '../../../ui/today.ts'
import { DatedRows } from './DatedRows.tsx'
import { useSaveTaxation } from './settings.data.ts'

interface Props {
  version: number
  setting: TaxationSetting
}
const wayText = (way: TaxationChange['art']): string =>
  way === 'ist'
    ? t('mit der Zahlung (vereinnahmte Entgelte, Ist, § 20 UStG)')
    : t('mit der Leistung (vereinbarte Entgelte, Soll)')

function faultText(fault: TaxationFault): string {
  switch (fault) {
    case 'monat':
      return t('Der erste Tag eines Monats, zum Beispiel 01.01.2027.')
    case 'doppelt':
      return t('Für diesen Tag ist schon ein Wechsel eingetragen. Nehmen Sie ihn zuerst heraus.')
    case 'gleich':
      return t('An diesem Tag gilt das schon.')
  }
}

export function TaxationChanges({ version, setting }: Props) {
  const save = useSaveTaxation()
  const [adding, setAdding] = useState(false)
  const changes = setting.besteuerung_ab
  const remove = ({ ab }: TaxationChange) =>
    save.mutate(
      { changes: changes.filter((one) => one.ab !== ab), version },
      {
        onSuccess: () => toast.success(t('Der Wechsel ist entfernt.')),
        onError: (error) => toast.error(messageOf(error)),
      },
    )
  return (
    <Card
      title={t('Wechsel der Besteuerung')}
      actions={
        <Button size="small" icon="plus" onClick={() => setAdding(true)}>
          {t('Wechsel eintragen')}
        </Button>
      }
    >
      <div className="stack">
        <p className="soft">
          {t(
            'Bei einem Wechsel zwischen Soll und Ist zählt jede Leistung, wie es an ihrem Tag galt: Keine wird ' +
              'doppelt versteuert, keine bleibt unversteuert (§ 20 Satz 3 UStG).',
          )}
        </p>
        {changes.length > 0 && (
          <DatedRows
            label={t('Wechsel der Besteuerung')}
            entries={changes}
            titles={[t('Umsatzsteuer wird fällig')]}
            left={[0, 1]}
            cells={({ art }) => <td>{wayText(art)}</td>}
            removeLabel={({ ab }) => t('Wechsel ab {tag} entfernen', { tag: formatDate(ab) })}
            busy={save.isPending}
            onRemove={remove}
          />
        )}
      </div>
      {adding && <ChangeDialog version={version} setting={setting} onClose={() => setAdding(false)} />}
    </Card>
  )
}

function ChangeDialog({ version, setting, onClose }: Props & { onClose: () => void }) {
  const save = useSaveTaxation()
  const next = `${Number(today().slice(0, 4)) + 1}-01-01`
  const form = useDialogForm({
    initial: { ab: formatDate(next), art: taxationOn(setting, next) === 'ist' ? 'soll' : 'ist' },
    check: (values): ReturnType<typeof unlessFaulty<TaxationChange>> => {
      const change: TaxationChange = {
        ab: parseDay(values.ab) ?? '',
        art: values.art === 'ist' ? 'ist' : 'soll',
      }
      const fault = taxationFault(change, setting)
      return unlessFaulty(
        change,
        fault === null ? {} : { [fault === 'gleich' ? 'art' : 'ab']: faultText(fault) },
      )
    },
    send: (change) => save.mutateAsync({ changes: [...setting.besteuerung_ab, change], version }),
    onSent: () => {
      toast.success(t('Der Wechsel ist eingetragen.'))
      onClose()
    },
  })
  return (
    <FormDialog
      {...form.frame}
      title={t('Wechsel der Besteuerung')}
      submitLabel={t('Eintragen')}
      unsaved={t('Der Wechsel ist noch nicht eingetragen.')}
      onClose={() => {
        form.disarm()
        onClose()
      }}
    >
      <DateField label={t('Gilt ab')} required {...form.text('ab')} />
      <SelectField
        label={t('Umsatzsteuer wird fällig')}
        options={(['soll', 'ist'] as const).map((value) => ({ value, label: wayText(value) }))}
        {...form.text('art')}
      />
    </FormDialog>
  )
}
