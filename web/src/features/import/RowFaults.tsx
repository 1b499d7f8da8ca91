// All faults of one row, and the suggestions for it.
import { PLZ_SOURCE } from '#domain/address.ts'
import type { Fault } from '#domain/import-faults.ts'
import { fieldOf } from '#domain/import-fields.ts'
import type { Suggestion } from '#domain/import-row.ts'
import { Button } from '../../ui/Button.tsx'
import { Badge } from '../../ui/Display.tsx'
import { t } from '../../ui/text.ts'
import { messageOf } from './fault-list.ts'

interface RowFaultsProps {
  zeile: number
  faults: readonly Fault[]
  suggestions: readonly Suggestion[]
  busy: boolean
  onApply: (suggestions: readonly Suggestion[]) => void
}

export function RowFaults({ zeile, faults, suggestions, busy, onApply }: RowFaultsProps) {
  const own = suggestions.filter((proposal) => proposal.zeile === zeile)
  return (
    <section className="import-row-faults" aria-live="polite" aria-label={t('Hinweise zur gewählten Zeile')}>
      <h3>{t('Zeile {n}', { n: zeile })}</h3>
      {faults.length === 0 && <p className="soft">{t('Kein Hinweis mehr.')}</p>}
      <ul>
        {faults.map((fault) => (
          <li key={`${fault.feld} ${fault.art}`}>
            <Badge tone={fault.stufe === 'fehler' ? 'danger' : 'warning'}>
              {t(fault.stufe === 'fehler' ? 'Fehler' : 'Warnung')}
            </Badge>{' '}
            <strong>{t(fieldOf(fault.feld).label)}:</strong> {messageOf(fault)}
          </li>
        ))}
      </ul>
      {own.length > 0 && (
        <div className="import-proposals">
          {own.map((proposal) => (
            <Button
              key={proposal.feld}
              size="small"
              icon="check"
              busy={busy}
              onClick={() => onApply([proposal])}
            >
              {t('{feld}: {wert}', { feld: t(fieldOf(proposal.feld).label), wert: proposal.wert })}
            </Button>
          ))}
          <span className="soft">{t(PLZ_SOURCE.text)}</span>
        </div>
      )}
    </section>
  )
}
