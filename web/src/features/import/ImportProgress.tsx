// Fourth step: upload progress. Once customers are being created, it can no longer be cancelled, and says so.
import { Button } from '../../ui/Button.tsx'
import { Card } from '../../ui/Display.tsx'
import { formatNumber } from '../../ui/format.ts'
import { t } from '../../ui/text.ts'
import type { ImportState } from './use-import.ts'

export function ImportProgress({ state }: { state: ImportState }) {
  const total = state.pruefung?.forstbetriebe ?? 0
  const { uploaded } = state
  return (
    <Card title={t('Import läuft')}>
      <div className="import-progress">
        <progress
          aria-label={t('Fortschritt des Imports')}
          max={total}
          {...(uploaded !== null && { value: uploaded })}
        />
        <p aria-live="polite">
          {uploaded === null
            ? t(
                'Kunden und Forstbetriebe werden angelegt. Das dauert einen Augenblick und lässt sich nicht ' +
                  'mehr abbrechen.',
              )
            : t('{n} von {total} Zeilen übertragen. Bis hierher ist noch nichts angelegt.', {
                n: formatNumber(uploaded),
                total: formatNumber(total),
              })}
        </p>
        {uploaded !== null && <Button onClick={state.cancel}>{t('Abbrechen')}</Button>}
      </div>
    </Card>
  )
}
