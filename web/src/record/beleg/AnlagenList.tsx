// The files that go with an invoice, each to be saved; what else can be done with them comes from the page.
import { type ReactNode, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import type { Anlage } from '#contract/anlage.ts'
import { Button } from '../../ui/Button.tsx'
import { Card } from '../../ui/Display.tsx'
import { formatBytes } from '../../ui/format.ts'
import { t } from '../../ui/text.ts'
import { toast } from '../../ui/toasts.ts'
import { messageOf } from '../record-faults.ts'
import './anlagen.css'
import { anlagenQuery, saveAnlage } from './anlagen.data.ts'

interface ListProps {
  invoice: number | string
  anlagen: readonly Anlage[]
  acts?: (anlage: Anlage) => ReactNode
}

export function AnlagenList({ invoice, anlagen, acts }: ListProps) {
  const [busy, setBusy] = useState<number | null>(null)
  const save = async (anlage: Anlage) => {
    if (busy !== null) return
    setBusy(anlage.id)
    await saveAnlage(invoice, anlage).catch((error: unknown) => toast.error(messageOf(error)))
    setBusy(null)
  }
  return (
    <ul className="anlagen" aria-label={t('Anlagen')}>
      {anlagen.map((anlage) => {
        const { id, name, beschreibung, dateiname, groesse } = anlage
        return (
          <li key={id}>
            <div className="anlage-words">
              <strong>{name}</strong>
              {beschreibung !== '' && <div>{beschreibung}</div>}
              <div className="soft">
                {dateiname} · <span className="nums">{formatBytes(groesse)}</span>
              </div>
            </div>
            <div className="anlage-acts">
              <Button
                size="small"
                icon="download"
                busy={busy === id}
                aria-label={t('{name} herunterladen', { name })}
                onClick={() => void save(anlage)}
              >
                {t('Herunterladen')}
              </Button>
              {acts?.(anlage)}
            </div>
          </li>
        )
      })}
    </ul>
  )
}

/** Nothing where there are none. */
export function AnlagenCard({ invoice }: { invoice: number | string }) {
  const { data = [] } = useQuery(anlagenQuery(invoice))
  if (data.length === 0) return null
  return (
    <Card title={t('Anlagen')}>
      <AnlagenList invoice={invoice} anlagen={data} />
    </Card>
  )
}
