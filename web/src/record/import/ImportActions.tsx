// Buttons from one step of an import to the next, and back.
import { useState } from 'react'
import type { FarAway } from '#domain/far-away.ts'
import { Button } from '../../ui/Button.tsx'
import { Notice } from '../../ui/Display.tsx'
import { Checkbox } from '../../ui/Field.tsx'
import { formatNumber } from '../../ui/format.ts'
import { Actions } from '../../ui/Page.tsx'
import { t } from '../../ui/text.ts'

interface Props {
  busy: boolean
  /** The next step is possible. */
  ready: boolean
  onNext: () => void
  onBack: () => void
}
interface Words {
  next: string
  working: string
  back: string
}

const ActionBar = ({ busy, ready, onNext, onBack, next, working, back }: Props & Words) => (
  <Actions>
    <Button variant="primary" busy={busy} disabled={!ready} onClick={onNext}>
      {busy ? working : next}
    </Button>
    <Button onClick={onBack} disabled={busy}>
      {back}
    </Button>
  </Actions>
)

export const ToCheck = (props: Props) => (
  <ActionBar
    {...props}
    next={t('Weiter zur Prüfung')}
    working={t('Wird geprüft …')}
    back={t('Andere Datei')}
  />
)

interface ApplyProps extends Omit<Props, 'onNext'> {
  /** What lies far away: the import needs a confirmation then. */
  fern: FarAway | null
  onNext: (ort_bestaetigt: boolean) => void
}
export function ApplyImport({ fern, ready, onNext, ...props }: ApplyProps) {
  const [confirmed, setConfirmed] = useState(false)
  return (
    <>
      {fern !== null && <FarQuestion fern={fern} confirmed={confirmed} onChange={setConfirmed} />}
      <ActionBar
        {...props}
        ready={ready && (fern === null || confirmed)}
        onNext={() => onNext(fern !== null)}
        next={t('Jetzt importieren')}
        working={t('Wird importiert …')}
        back={t('Zurück zur Zuordnung')}
      />
    </>
  )
}

interface FarProps {
  fern: FarAway
  confirmed: boolean
  onChange: (confirmed: boolean) => void
}
function FarQuestion({ fern: { anzahl, km, bezug }, confirmed, onChange }: FarProps) {
  const values = { n: formatNumber(anzahl), km: formatNumber(km) }
  return (
    <Notice tone="warning" title={t('Liegen die Daten wirklich dort?')}>
      <div className="stack">
        <p>
          {bezug === 'bestand'
            ? t('Von den vorhandenen Daten sind sie bis zu {km} km entfernt (Objekte: {n}).', values)
            : t('Vom Bundesland der Anschrift sind sie bis zu {km} km entfernt (Objekte: {n}).', values)}{' '}
          {t(
            'Meist stimmt dann das Koordinatensystem oder seine Zone nicht; gehen Sie zurück zur Zuordnung.',
          )}
        </p>
        <Checkbox
          label={t('Ja, die Daten liegen dort')}
          checked={confirmed}
          onChange={({ target }) => onChange(target.checked)}
        />
      </div>
    </Notice>
  )
}
