// /member-management/client/{id}: one customer. apus_admin edits everything; apus_team reads, and changes
// federal state and coordinate system.
import type { ReactNode } from 'react'
import type { Kunde } from '#contract/kunde.ts'
import { useHasRole } from '../../data/session.ts'
import { useView } from '../../ui/view.tsx'
import { KundeAdmin } from './KundeAdmin.tsx'
import { KundeLoad } from '../../record/kunde/KundeLoad.tsx'
import { KundeTeam } from './KundeTeam.tsx'

/**
 * `billing`: how the customer is billed, from the bookkeeping. `karten`: the customer's plans. `plan`: adds one.
 */
export function KundePage({
  billing,
  karten,
  plan,
}: {
  billing: (kunde: Kunde) => ReactNode
  karten: (kunde: Kunde) => ReactNode
  plan: (kunde: Kunde, onClose: () => void) => ReactNode
}) {
  const id = useView().params['id'] ?? ''
  const isAdmin = useHasRole('apus_admin')
  return (
    <KundeLoad key={id} id={id} list="/member-management/client">
      {(kunde) =>
        isAdmin ? (
          <KundeAdmin
            kunde={kunde}
            billing={billing(kunde)}
            karten={karten(kunde)}
            plan={(onClose) => plan(kunde, onClose)}
          />
        ) : (
          <KundeTeam kunde={kunde} karten={karten(kunde)} plan={(onClose) => plan(kunde, onClose)} />
        )
      }
    </KundeLoad>
  )
}
