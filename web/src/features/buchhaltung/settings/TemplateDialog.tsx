// Dialog to add or edit a position template.
import { useId } from 'react'
import type { PositionTemplate } from '#contract/template.ts'
import { UNITS } from '#domain/units.ts'
import { formatGerman } from '#domain/geld.ts'
import { checkTemplate, preis, pricePlaces, TEMPLATE_LONGEST } from '#domain/template.ts'
import { fact } from '../../../ui/Display.tsx'
import { Checkbox, FieldGrid, TextAreaField, TextField } from '../../../ui/Field.tsx'
import { t } from '../../../ui/text.ts'
import { RowDialog } from '../RowDialog.tsx'
import { rateText } from './rate-text.ts'
import { useSaveTemplate } from './template.data.ts'
import { templateFaultText } from './template-words.ts'

export interface TemplateFormValues extends Readonly<Record<string, string | boolean>> {
  readonly gruppe: string
  readonly bez: string
  readonly einheit: string
  readonly ep: string
  readonly ust_satz: string
  readonly erl_titel: string
  readonly erl: string
  readonly erl_on: boolean
}
const EMPTY: TemplateFormValues = {
  gruppe: '',
  bez: '',
  einheit: '',
  ep: '',
  ust_satz: '',
  erl_titel: '',
  erl: '',
  erl_on: true,
}

const valuesOf = (row: PositionTemplate): TemplateFormValues => ({
  gruppe: row.gruppe ?? '',
  bez: row.bez,
  einheit: row.einheit,
  ep: formatGerman(preis(row.ep), pricePlaces),
  ust_satz: row.ust_satz === null ? '' : rateText(row.ust_satz),
  erl_titel: row.erl_titel,
  erl: row.erl,
  erl_on: row.erl_on,
})
const LONGEST: Readonly<Record<string, number>> = TEMPLATE_LONGEST

export function TemplateDialog({
  row,
  groups,
  onClose,
  onSaved,
}: {
  /** Null for a new one. */
  row: PositionTemplate | null
  /** Groups in use, as suggestions. */
  groups: readonly string[]
  onClose: () => void
  onSaved: () => void
}) {
  const [groupsId, unitsId] = [useId(), useId()]
  const save = useSaveTemplate()
  return (
    <RowDialog<TemplateFormValues, PositionTemplate>
      title={row === null ? t('Positionsvorlage anlegen') : t('{name} bearbeiten', { name: row.bez })}
      width="wide"
      row={row}
      initial={EMPTY}
      valuesOf={valuesOf}
      check={(values) => {
        const checked = checkTemplate(values)
        if ('values' in checked) return {}
        return Object.fromEntries(
          Object.entries(checked.faults).map(([field, fault]) => [
            field,
            templateFaultText(fault, { longest: LONGEST[field] ?? 0, decimals: field === 'ep' ? 4 : 2 }),
          ]),
        )
      }}
      save={async (values, base) => {
        const checked = checkTemplate(values)
        if ('values' in checked)
          await save.mutateAsync({
            row: base,
            values: { ...checked.values, erl_on: values.erl_on, archiviert: base?.archiviert ?? false },
          })
      }}
      factsOf={(theirs) => [
        fact(t('Bezeichnung'), theirs.bez),
        fact(t('Gruppe'), theirs.gruppe),
        fact(t('Einheit'), theirs.einheit),
        fact(t('Preis netto'), `${formatGerman(preis(theirs.ep), pricePlaces)}\u00a0€`),
        fact(
          t('Steuersatz'),
          theirs.ust_satz === null ? t('wie im Beleg') : `${rateText(theirs.ust_satz)}\u00a0%`,
        ),
        fact(t('Titel der Erläuterung'), theirs.erl_titel),
        fact(t('Erläuterung'), theirs.erl),
      ]}
      onClose={onClose}
      onSaved={onSaved}
    >
      {({ text, flag }) => (
        <>
          <TextField
            label={t('Bezeichnung')}
            required
            maxLength={220}
            autoComplete="off"
            data-autofocus
            {...text('bez')}
          />
          <FieldGrid>
            <TextField
              label={t('Einheit')}
              required
              maxLength={30}
              list={unitsId}
              autoComplete="off"
              hint={t('Zum Beispiel Std, ha, m oder Stk.')}
              {...text('einheit')}
            />
            <TextField
              label={t('Preis netto')}
              required
              unit="€"
              inputMode="decimal"
              maxLength={24}
              autoComplete="off"
              hint={t('Je Einheit, bis zu vier Stellen nach dem Komma.')}
              {...text('ep')}
            />
            <TextField
              label={t('Steuersatz')}
              unit="%"
              inputMode="decimal"
              maxLength={8}
              autoComplete="off"
              hint={t('Leer: der Satz des Belegs.')}
              {...text('ust_satz')}
            />
            <TextField
              label={t('Gruppe')}
              maxLength={80}
              list={groupsId}
              autoComplete="off"
              hint={t('Eine vorhandene wählen oder eine neue eingeben.')}
              {...text('gruppe')}
            />
          </FieldGrid>
          <TextField
            label={t('Titel der Erläuterung')}
            maxLength={220}
            autoComplete="off"
            {...text('erl_titel')}
          />
          <TextAreaField label={t('Erläuterung')} rows={4} {...text('erl')} />
          <Checkbox label={t('Erläuterung drucken')} {...flag('erl_on')} />
          <datalist id={unitsId}>
            {UNITS.map(({ name }) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </datalist>
          <datalist id={groupsId}>
            {groups.map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </datalist>
        </>
      )}
    </RowDialog>
  )
}
