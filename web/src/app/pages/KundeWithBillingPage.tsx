// /member-management/client/{id}: a customer's page, with parts of other features that are loaded when
// opened.
import { KundePage } from '../../features/members/KundePage.tsx'
import { Card } from '../../ui/Display.tsx'
import { Skeleton } from '../../ui/States.tsx'
import { splitOff } from '../../ui/split-off.tsx'

const WAITING = (
  <Card>
    <Skeleton lines={8} />
  </Card>
)
const RechnungsData = splitOff(
  async () => (await import('../../features/buchhaltung/kunde/RechnungsData.tsx')).RechnungsData,
  WAITING,
)
const KundeKarten = splitOff(
  async () => (await import('../../features/karte/KundeKarten.tsx')).KundeKarten,
  WAITING,
)

const CreateKarte = splitOff(async () => (await import('../../features/karte/CreateKarte.tsx')).CreateKarte)

export const KundeWithBillingPage = () => (
  <KundePage
    billing={({ client_id }) => <RechnungsData id={String(client_id)} />}
    karten={({ client_id }) => <KundeKarten client_id={client_id} />}
    plan={({ client_id }, onClose) => <CreateKarte client_id={client_id} onClose={onClose} />}
  />
)
