// /abo/index: own subscriptions with what can be done to them, for those who may buy; for others the list to read.
import { useSession } from '../../data/session.ts'
import { AboPage as OwnAbos } from '../../features/abo/AboPage.tsx'
import { AbosPage } from '../../features/finances/AbosPage.tsx'
import { mayBuyAbo } from '../may-buy-abo.ts'

export function AboPage() {
  return mayBuyAbo(useSession()) ? <OwnAbos /> : <AbosPage />
}
