// A new voucher: four fields, checked on blur, and then its code.
import type { Gutschein } from '#contract/gutschein.ts'
import { checkGutschein, type GutscheinInput } from '#domain/gutschein.ts'
import { withTexts } from '../../record/dialog-form.ts'
import { useDialogForm } from '../../record/use-dialog-form.ts'
import { DateField } from '../../ui/DateField.tsx'
import { FieldGrid, TextField } from '../../ui/Field.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { parseDay } from '../../ui/parse-day.ts'
import { t } from '../../ui/text.ts'
import { today } from '../../ui/today.ts'
import { useAddGutschein } from './gutschein.data.ts'
import { faultText } from './gutschein-words.ts'

const EMPTY: GutscheinInput = { rabatt_abo: '', rabatt_kawm: '', expire_date: '', laufzeit: '12' }
function check(input: GutscheinInput) {
  const day = input.expire_date.trim()
  // What is no day is passed on and refused by the rule.
  return withTexts(checkGutschein({ ...input, expire_date: parseDay(day) ?? day }, today()), faultText)
}

export function CreateGutschein({
  onClose,
  onAdded,
}: {
  onClose: () => void
  onAdded: (row: Gutschein) => void
}) {
  const add = useAddGutschein()
  const { frame, text } = useDialogForm({
    initial: EMPTY,
    check,
    send: (values) => add.mutateAsync(values),
    onSent: onAdded,
  })
  return (
    <FormDialog
      title={t('Gutschein anlegen')}
      submitLabel={t('Anlegen und Code anzeigen')}
      unsaved={t('Der neue Gutschein ist noch nicht gespeichert.')}
      {...frame}
      onClose={onClose}
    >
      <p className="soft">{t('Der Gutschein gilt für ein Abo und kann einmal eingelöst werden.')}</p>
      <FieldGrid>
        <TextField
          label={t('Rabatt auf das Abo (FE und Basis-FE)')}
          unit="%"
          inputMode="decimal"
          maxLength={12}
          required
          {...text('rabatt_abo')}
        />
        <TextField
          label={t('Rabatt auf KAWM')}
          unit="%"
          inputMode="decimal"
          maxLength={12}
          required
          {...text('rabatt_kawm')}
        />
        <DateField
          label={t('Einlösbar bis')}
          hint={t('Letzter Tag, an dem der Code eingelöst werden kann.')}
          required
          {...text('expire_date')}
        />
        <TextField
          label={t('Laufzeit des Rabatts')}
          unit={t('Monate')}
          inputMode="numeric"
          maxLength={6}
          hint={t('So lange gilt der Rabatt ab Beginn des Abos.')}
          required
          {...text('laufzeit')}
        />
      </FieldGrid>
    </FormDialog>
  )
}
