// A new text block, or one that changes; its placeholders are filled in once more beside it, as an example.
import type { Freitext } from '#contract/vorlage.ts'
import { FREITEXT_ARTEN } from '#domain/freitext.ts'
import { fillPlatzhalter, PLATZHALTER } from '#domain/platzhalter.ts'
import { checkFreitext, FREITEXT_LAENGSTE } from '#domain/vorlage.ts'
import { Button } from '../../../ui/Button.tsx'
import { fact } from '../../../ui/Display.tsx'
import { FieldGrid, SelectField, TextAreaField, TextField } from '../../../ui/Field.tsx'
import { Toolbar } from '../../../ui/Page.tsx'
import { t } from '../../../ui/text.ts'
import { RowDialog } from '../RowDialog.tsx'
import { useSaveFreitext } from './vorlage.data.ts'
import { freitextArt, freitextFault } from './vorlage-words.ts'

interface FreitextValues extends Readonly<Record<string, string>> {
  readonly art: string
  readonly titel: string
  readonly text: string
}
const EMPTY: FreitextValues = { art: 'anschreiben', titel: '', text: '' }
const valuesOf = ({ art, titel, text }: Freitext): FreitextValues => ({ art, titel, text })
const LONGEST: Readonly<Record<string, number>> = FREITEXT_LAENGSTE
/** Nobody's. */
const EXAMPLE = { name: 'Forstbetrieb Muster', nummer: 'RE-2026-0042', datum: '15.03.2026', faellig: '29.03.2026', betrag: '1.234,50 €' }

export function FreitextDialog({ row, onClose, onSaved }: { row: Freitext | null; onClose: () => void; onSaved: () => void }) {
  const save = useSaveFreitext()
  return (
    <RowDialog<FreitextValues, Freitext>
      title={row === null ? t('Textbaustein anlegen') : t('{name} bearbeiten', { name: row.titel })}
      width="wide"
      row={row}
      initial={EMPTY}
      valuesOf={valuesOf}
      check={(values) => {
        const checked = checkFreitext(values)
        if ('values' in checked) return {}
        return Object.fromEntries(
          Object.entries(checked.faults).map(([field, fault]) => [field, freitextFault(fault, LONGEST[field] ?? 0)]),
        )
      }}
      save={async (values, base) => {
        const checked = checkFreitext(values)
        if ('values' in checked) await save.mutateAsync({ row: base, values: { ...checked.values, archiviert: base?.archiviert ?? false } })
      }}
      factsOf={({ art, titel, text }) => [fact(t('Art'), freitextArt(art)), fact(t('Titel'), titel), fact(t('Text'), text)]}
      onClose={onClose}
      onSaved={onSaved}
    >
      {({ text, values, set }) => (
        <>
          <FieldGrid>
            <SelectField
              label={t('Art')}
              required
              options={FREITEXT_ARTEN.map((art) => ({ value: art, label: freitextArt(art) }))}
              {...text('art')}
            />
            <TextField label={t('Titel')} required maxLength={120} autoComplete="off" data-autofocus {...text('titel')} />
          </FieldGrid>
          <TextAreaField label={t('Text')} required rows={8} {...text('text')} />
          <Toolbar label={t('Platzhalter anfügen')}>
            {PLATZHALTER.map((name) => (
              <Button key={name} size="small" onClick={() => set({ text: `${values.text}{${name}}` })}>
                {`{${name}}`}
              </Button>
            ))}
          </Toolbar>
          {values.text.includes('{') && (
            <figure className="buch-example">
              <figcaption className="soft">{t('So sieht es zum Beispiel aus')}</figcaption>
              <p>{fillPlatzhalter(values.text, EXAMPLE)}</p>
            </figure>
          )}
        </>
      )}
    </RowDialog>
  )
}
