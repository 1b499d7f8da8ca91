// Dialog to add or edit a text block, with an example that has the placeholders filled in.
import type { TextModule } from '#contract/template.ts'
import { fillPlaceholders, PLACEHOLDERS } from '#domain/placeholders.ts'
import { checkTextModule, TEXT_MODULE_LONGEST } from '#domain/template.ts'
import { TEXT_MODULE_KINDS } from '#domain/text-module.ts'
import { withTexts } from '../../../record/dialog-form.ts'
import { RowDialog } from '../../../record/RowDialog.tsx'
import type { DialogForm } from '../../../record/use-dialog-form.ts'
import { Button } from '../../../ui/Button.tsx'
import { fact } from '../../../ui/Display.tsx'
import { FieldGrid, SelectField, TextAreaField, TextField } from '../../../ui/Field.tsx'
import { Toolbar } from '../../../ui/Page.tsx'
import { t } from '../../../ui/text.ts'
import { useSaveTextModule } from './template.data.ts'
import { textModuleFaultText, textModuleKindText } from './template-words.ts'

interface TextModuleFormValues {
  readonly art: string
  readonly titel: string
  readonly text: string
}
const EMPTY: TextModuleFormValues = { art: 'anschreiben', titel: '', text: '' }
const valuesOf = ({ art, titel, text }: TextModule): TextModuleFormValues => ({ art, titel, text })
const LONGEST: Readonly<Record<string, number>> = TEXT_MODULE_LONGEST
const check = (values: TextModuleFormValues) =>
  withTexts(checkTextModule(values), (fault, field) => textModuleFaultText(fault, LONGEST[field] ?? 0))
/** Fictitious data. */
const EXAMPLE = {
  name: 'Forstbetrieb Muster',
  nummer: 'RE-2026-0042',
  datum: '15.03.2026',
  faellig: '29.03.2026',
  betrag: '1.234,50 €',
}

export function TextModuleDialog({
  row,
  onClose,
  onSaved,
}: {
  row: TextModule | null
  onClose: () => void
  onSaved: () => void
}) {
  const save = useSaveTextModule()
  return (
    <RowDialog
      title={row === null ? t('Textbaustein anlegen') : t('{name} bearbeiten', { name: row.titel })}
      width="wide"
      row={row}
      initial={EMPTY}
      valuesOf={valuesOf}
      check={check}
      save={(values, base) =>
        save.mutateAsync({ row: base, values: { ...values, archiviert: base?.archiviert ?? false } })
      }
      factsOf={({ art, titel, text }) => [
        fact(t('Art'), textModuleKindText(art)),
        fact(t('Titel'), titel),
        fact(t('Text'), text),
      ]}
      onClose={onClose}
      onSaved={onSaved}
    >
      {(form) => <TextModuleFields form={form} />}
    </RowDialog>
  )
}

function TextModuleFields({ form: { text, values, set } }: { form: DialogForm<TextModuleFormValues> }) {
  return (
    <>
      <FieldGrid>
        <SelectField
          label={t('Art')}
          required
          options={TEXT_MODULE_KINDS.map((art) => ({ value: art, label: textModuleKindText(art) }))}
          {...text('art')}
        />
        <TextField
          label={t('Titel')}
          required
          maxLength={120}
          autoComplete="off"
          data-autofocus
          {...text('titel')}
        />
      </FieldGrid>
      <TextAreaField label={t('Text')} required rows={8} {...text('text')} />
      <Toolbar label={t('Platzhalter anfügen')}>
        {PLACEHOLDERS.map((name) => (
          <Button key={name} size="small" onClick={() => set({ text: `${values.text}{${name}}` })}>
            {`{${name}}`}
          </Button>
        ))}
      </Toolbar>
      {values.text.includes('{') && (
        <figure className="buch-example">
          <figcaption className="soft">{t('So sieht es zum Beispiel aus')}</figcaption>
          <p>{fillPlaceholders(values.text, EXAMPLE)}</p>
        </figure>
      )}
    </>
  )
}
