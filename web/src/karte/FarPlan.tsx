// A plan whose points are far from its customer is only made once a person has confirmed it.
import { useState } from 'react'
import type { KarteJob } from '#contract/karte-files.ts'
import { Button } from '../ui/Button.tsx'
import { Notice } from '../ui/Display.tsx'
import { Checkbox } from '../ui/Field.tsx'
import { t } from '../ui/text.ts'

interface Props {
  /** Why it was not made, with the distance. */
  reason: string
  busy: boolean
  /** Undefined: it has been requested again since, or may not be now. */
  onConfirm: (() => void) | undefined
}

export function FarPlan({ reason, busy, onConfirm }: Props) {
  const [confirmed, setConfirmed] = useState(false)
  return (
    <Notice tone="warning" title={t('Liegt der Plan wirklich dort?')}>
      <div className="stack">
        <p>{reason}</p>
        {onConfirm !== undefined && (
          <>
            <Checkbox
              label={t('Ja, der Plan liegt dort')}
              checked={confirmed}
              onChange={({ target }) => setConfirmed(target.checked)}
            />
            <div>
              <Button variant="primary" busy={busy} disabled={!confirmed} onClick={onConfirm}>
                {t('Dort entzerren')}
              </Button>
            </div>
          </>
        )}
      </div>
    </Notice>
  )
}

export const isFar = ({ stand, fehler }: Pick<KarteJob, 'stand' | 'fehler'>): boolean =>
  stand === 'fehlgeschlagen' && fehler === 'karte_ort'
