// The base rates of § 247 BGB, by which interest of default is computed: what is entered, what is missing.
import { useState } from 'react'
import { decimal, formatGerman } from '#domain/geld.ts'
import { type BaseRate, halfYearOf } from '#domain/interest.ts'
import { messageOf } from '../../../record/record-faults.ts'
import { useDialogForm } from '../../../record/use-dialog-form.ts'
import { Button } from '../../../ui/Button.tsx'
import { DateField } from '../../../ui/DateField.tsx'
import { Card, Notice } from '../../../ui/Display.tsx'
import { TextField } from '../../../ui/Field.tsx'
import { FormDialog } from '../../../ui/FormDialog.tsx'
import { formatDate } from '../../../ui/format.ts'
import { t } from '../../../ui/text.ts'
import { toast } from '../../../ui/toasts.ts'
import { today } from '../../../ui/today.ts'
import { checkBaseRate } from './base-rate-form.ts'
import { DatedRows } from './DatedRows.tsx'
import { useSaveBaseRates } from './settings.data.ts'

interface Props {
  version: number
  rates: readonly BaseRate[]
}

export function BaseRates({ version, rates }: Props) {
  const save = useSaveBaseRates()
  const [adding, setAdding] = useState(false)
  const now = halfYearOf(today())
  const isMissing = !rates.some(({ ab }) => ab === now)
  const remove = (rate: BaseRate) =>
    save.mutate(
      { rates: rates.filter(({ ab }) => ab !== rate.ab), version },
      {
        onSuccess: () => toast.success(t('Der Satz ist entfernt.')),
        onError: (error) => toast.error(messageOf(error)),
      },
    )
  return (
    <Card
      title={t('Basiszinssätze für Verzugszinsen')}
      actions={
        <Button size="small" icon="plus" onClick={() => setAdding(true)}>
          {t('Satz eintragen')}
        </Button>
      }
    >
      <div className="stack">
        {isMissing && (
          <Notice tone="warning" title={t('Für das laufende Halbjahr fehlt der Satz')}>
            {t(
              'Die Deutsche Bundesbank gibt ihn zum 1. Januar und 1. Juli im Bundesanzeiger bekannt (§ 247 BGB); ' +
                'er steht auf bundesbank.de unter „Basiszinssatz“. Bis er eingetragen ist, werden keine Zinsen ' +
                'berechnet.',
            )}
          </Notice>
        )}
        <DatedRows
          label={t('Basiszinssätze für Verzugszinsen')}
          entries={rates}
          titles={[t('Satz'), t('Quelle')]}
          left={[0, 2]}
          cells={({ satz, quelle }) => (
            <>
              <td className="cell-end nums">{formatGerman(decimal(satz), { atLeast: 2 })}&nbsp;%</td>
              <td>{quelle}</td>
            </>
          )}
          removeLabel={({ ab }) => t('Satz ab {tag} entfernen', { tag: formatDate(ab) })}
          busy={save.isPending}
          onRemove={remove}
        />
      </div>
      {adding && (
        <BaseRateDialog
          version={version}
          rates={rates}
          start={isMissing ? formatDate(now) : ''}
          onClose={() => setAdding(false)}
        />
      )}
    </Card>
  )
}

function BaseRateDialog({ version, rates, start, onClose }: Props & { start: string; onClose: () => void }) {
  const save = useSaveBaseRates()
  const form = useDialogForm({
    initial: { ab: start, satz: '', quelle: 'Deutsche Bundesbank' },
    check: (values) => checkBaseRate(values, rates),
    send: (rate) => save.mutateAsync({ rates: [...rates, rate], version }),
    onSent: () => {
      toast.success(t('Der Satz ist eingetragen.'))
      onClose()
    },
  })
  return (
    <FormDialog
      {...form.frame}
      title={t('Basiszinssatz eintragen')}
      submitLabel={t('Eintragen')}
      unsaved={t('Der Satz ist noch nicht eingetragen.')}
      onClose={() => {
        form.disarm()
        onClose()
      }}
    >
      <DateField label={t('Gilt ab')} required {...form.text('ab')} />
      <TextField
        label={t('Basiszinssatz')}
        required
        unit="%"
        inputMode="decimal"
        autoComplete="off"
        {...form.text('satz')}
      />
      <TextField label={t('Quelle')} required maxLength={200} {...form.text('quelle')} />
    </FormDialog>
  )
}
