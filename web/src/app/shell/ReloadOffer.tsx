// A card in the corner that offers to load the page again, now or later. Asks first if there is unsaved work.
import { type ReactNode, useId, useState } from 'react'
import { Button } from '../../ui/Button.tsx'
import { t } from '../../ui/text.ts'
import { forgetUnsavedChanges, hasUnsavedChanges } from '../../ui/unsaved.ts'
import { DiscardDialog } from './DiscardDialog.tsx'

export function ReloadOffer({
  title,
  onLater,
  onLoad,
  children,
}: {
  title: string
  onLater: () => void
  /** Called once nothing is unsaved any more. */
  onLoad: () => void
  children: ReactNode
}) {
  const titleId = useId()
  const [asking, setAsking] = useState(false)
  const load = () => {
    forgetUnsavedChanges()
    onLoad()
  }
  return (
    <section className="corner-card" aria-labelledby={titleId}>
      <h2 id={titleId}>{title}</h2>
      <p>{children}</p>
      <div className="corner-actions">
        <Button size="small" onClick={onLater}>
          {t('Später')}
        </Button>
        <Button
          variant="primary"
          size="small"
          icon="refresh"
          onClick={() => (hasUnsavedChanges() ? setAsking(true) : load())}
        >
          {t('Neu laden')}
        </Button>
      </div>
      <DiscardDialog
        open={asking}
        confirmLabel={t('Verwerfen und neu laden')}
        onConfirm={load}
        onCancel={() => setAsking(false)}
      />
    </section>
  )
}
