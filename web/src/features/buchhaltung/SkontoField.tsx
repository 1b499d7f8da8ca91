// Cash discount tiers: the customer's, none, or up to three specific to the document.
import { Button } from '../../ui/Button.tsx'
import { SelectField, TextField } from '../../ui/Field.tsx'
import { t } from '../../ui/text.ts'
import { parseSkontoText, printSkontoText, type SkontoText } from './draft-fields.ts'

const MOST = 3

interface Props {
  value: string
  error: string | undefined
  /** Labels for "no tiers set" and "own tiers"; by default those of a document. */
  words?: { readonly ohne: string; readonly own: string }
  onChange: (text: string) => void
}

export function SkontoField({ value, error, words, onChange }: Props) {
  const tiers = parseSkontoText(value)
  const set = (next: SkontoText) => onChange(printSkontoText(next))
  const change = (at: number, tier: readonly [string, string]) => tiers && set(tiers.with(at, tier))
  return (
    <div className="beleg-skonto">
      <SelectField
        name="skonto"
        label={t('Skonto')}
        error={error}
        value={tiers === null ? 'kunde' : tiers.length === 0 ? 'kein' : 'eigen'}
        options={[
          { value: 'kunde', label: words?.ohne ?? t('wie beim Kunden vereinbart') },
          { value: 'kein', label: t('kein Skonto') },
          { value: 'eigen', label: words?.own ?? t('eigenes für diesen Beleg') },
        ]}
        onChange={({ target }) =>
          onChange(
            target.value === 'kunde' ? '' : printSkontoText(target.value === 'kein' ? [] : [['10', '2']]),
          )
        }
      />
      {tiers?.map(([days, percent], at) => (
        // Tiers have no identity other than their index.
        <div key={at} className="beleg-skonto-tier">
          <TextField
            label={t('Skonto {n}: Tage', { n: at + 1 })}
            inputMode="numeric"
            maxLength={3}
            autoComplete="off"
            value={days}
            onChange={({ target }) => change(at, [target.value, percent])}
          />
          <TextField
            label={t('Skonto {n}: Prozent', { n: at + 1 })}
            unit="%"
            inputMode="decimal"
            maxLength={6}
            autoComplete="off"
            value={percent}
            onChange={({ target }) => change(at, [days, target.value])}
          />
          <Button size="small" icon="trash" onClick={() => set(tiers.toSpliced(at, 1))}>
            {t('Entfernen')}
          </Button>
        </div>
      ))}
      {tiers !== null && tiers.length > 0 && tiers.length < MOST && (
        <Button size="small" icon="plus" onClick={() => set([...tiers, ['', '']])}>
          {t('Weitere Staffel')}
        </Button>
      )}
    </div>
  )
}
