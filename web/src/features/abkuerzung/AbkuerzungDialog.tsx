// Dialog to add or edit an abbreviation: three fields, each checked on blur.
import type { Abkuerzung, NewAbkuerzung } from '#contract/abkuerzung.ts'
import { ApiError } from '../../data/api-error.ts'
import { withTexts } from '../../record/dialog-form.ts'
import { RowDialog } from '../../record/RowDialog.tsx'
import { fact } from '../../ui/Display.tsx'
import { TextAreaField, TextField } from '../../ui/Field.tsx'
import { SuggestField } from '../../ui/SuggestField.tsx'
import { t } from '../../ui/text.ts'
import { useSaveAbkuerzung } from './abkuerzung.data.ts'
import { checkAbkuerzung, cleaned, type DataField, type Fault, MAX_LENGTHS } from './abkuerzung-check.ts'

interface Props {
  /** Null for a new one. */
  row: Abkuerzung | null
  rows: readonly Abkuerzung[]
  onClose: () => void
  onSaved: (row: Abkuerzung, isNew: boolean) => void
}
const NEW: NewAbkuerzung = { abk: '', bedeutung: '', gruppe: '' }
const valuesOf = ({ abk, bedeutung, gruppe }: NewAbkuerzung): NewAbkuerzung => ({ abk, bedeutung, gruppe })

function faultText(fault: Fault, field: DataField): string {
  switch (fault) {
    case 'fehlt':
      return t('Diese Angabe fehlt.')
    case 'zu_lang':
      return t('Höchstens {n} Zeichen.', { n: MAX_LENGTHS[field] })
    case 'vorhanden':
      return t(
        'Diese Abkürzung gibt es in dieser Gruppe schon. Ändern Sie die vorhandene, oder wählen Sie eine ' +
          'andere Gruppe.',
      )
  }
}

/** Somebody else added the same abbreviation meanwhile: the database refuses it, said as the form's own check. */
function sayDuplicate(error: unknown): never {
  if (!(error instanceof ApiError) || error.origin !== '23505') throw error
  const message = faultText('vorhanden', 'abk')
  throw new ApiError(error.code, message, { fields: [{ field: 'abk', message }] })
}

export function AbkuerzungDialog({ row, rows, onClose, onSaved }: Props) {
  const save = useSaveAbkuerzung()
  const groups = [...new Set(rows.map(({ gruppe }) => gruppe))]
  return (
    <RowDialog
      title={row === null ? t('Abkürzung anlegen') : t('{name} bearbeiten', { name: row.abk })}
      row={row}
      initial={NEW}
      valuesOf={valuesOf}
      clean={cleaned}
      check={(typed) => {
        const faults = checkAbkuerzung(typed, rows, row?.id ?? null)
        const isRight = Object.keys(faults).length === 0
        return withTexts(isRight ? { values: cleaned(typed) } : { faults }, faultText)
      }}
      save={(values, base) => save.mutateAsync({ row: base, values }).catch(sayDuplicate)}
      factsOf={({ abk, bedeutung, gruppe }) => [
        fact(t('Abkürzung'), abk),
        fact(t('Bedeutung'), bedeutung),
        fact(t('Gruppe'), gruppe),
      ]}
      onClose={onClose}
      onSaved={(saved) => onSaved(saved, row === null)}
    >
      {({ text }) => (
        <>
          <TextField
            label={t('Abkürzung')}
            required
            maxLength={40}
            autoComplete="off"
            data-autofocus
            {...text('abk')}
          />
          <TextAreaField label={t('Bedeutung')} required rows={3} maxLength={400} {...text('bedeutung')} />
          <SuggestField
            label={t('Gruppe')}
            required
            maxLength={80}
            suggestions={groups}
            hint={t('Eine vorhandene wählen oder eine neue eingeben.')}
            {...text('gruppe')}
          />
        </>
      )}
    </RowDialog>
  )
}
