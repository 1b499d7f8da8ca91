// /kunden/{id}: a customer's page, with dialogs of other features that are loaded when opened.
import { KundePage } from '../../features/kunde/KundePage.tsx'
import type { SummaryDialogs } from '../../record/summary/KundeSummary.tsx'
import { splitOff } from '../../ui/split-off.tsx'

const CreateNutzer = splitOff(
  async () => (await import('../../features/nutzer/CreateNutzer.tsx')).CreateNutzer,
)
const CreateKarte = splitOff(async () => (await import('../../features/karte/CreateKarte.tsx')).CreateKarte)

const dialogs = (client_id: number): SummaryDialogs => ({
  person: (onClose) => <CreateNutzer kunde={client_id} onClose={onClose} />,
  plan: (onClose) => <CreateKarte client_id={client_id} onClose={onClose} />,
})

export const KundeOverviewPage = () => <KundePage dialogs={dialogs} />
