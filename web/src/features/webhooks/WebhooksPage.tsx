// /verwaltung/webhooks: programs that are notified of events, and the log of what was delivered, for the
// admins of each half.
import { useState } from 'react'
import { administeredHalves } from '#domain/zugang.ts'
import type { Webhook } from '#contract/webhook.ts'
import { useSession } from '../../data/session.ts'
import { Button } from '../../ui/Button.tsx'
import { Card } from '../../ui/Display.tsx'
import { Page } from '../../ui/Page.tsx'
import { splitOff } from '../../ui/split-off.tsx'
import { t } from '../../ui/text.ts'
import { DeliveryLog } from './DeliveryLog.tsx'
import { ReceiverList } from './ReceiverList.tsx'
import { ShownSecret } from './ShownSecret.tsx'

const ReceiverDialog = splitOff(async () => (await import('./ReceiverDialog.tsx')).ReceiverDialog)

export function WebhooksPage() {
  const { roles } = useSession()
  const halves = administeredHalves(roles)
  const [open, setOpen] = useState<Webhook | 'new' | null>(null)
  const [secret, setSecret] = useState<{ name: string; geheimnis: string } | null>(null)
  const add = (
    <Button variant="primary" icon="plus" onClick={() => setOpen('new')}>
      {t('Empfänger anlegen')}
    </Button>
  )
  return (
    <Page subtitle={t('Andere Programme erfahren sofort, wenn etwas geschehen ist')}>
      <Card title={t('Empfänger')}>
        <ReceiverList action={add} namesHalf={halves.length > 1} onEdit={setOpen} onSecret={setSecret} />
      </Card>
      <Card title={t('Zustellungen')}>
        <DeliveryLog />
      </Card>
      {open !== null && (
        <ReceiverDialog row={open === 'new' ? null : open} halves={halves} onClose={() => setOpen(null)} />
      )}
      {secret !== null && <ShownSecret {...secret} onClose={() => setSecret(null)} />}
    </Page>
  )
}
