// /member-management/client/{id}: one customer. apus_admin edits everything; apus_team reads, and changes
// federal state and coordinate system.
import type { ReactNode } from 'react'
import type { Kunde } from '#contract/kunde.ts'
import { useHasRole } from '../../data/session.ts'
import { useView } from '../../ui/view.tsx'
import { KundeAdmin } from './KundeAdmin.tsx'
import { KundeLoad } from '../../record/kunde/KundeLoad.tsx'
import { KundeTeam } from './KundeTeam.tsx'

/** `billing`: how the customer is billed, from the bookkeeping. `karten`: the customer's plans. */
export function KundePage({
  billing,
  karten,
}: {
  billing: (kunde: Kunde) => ReactNode
  karten: (kunde: Kunde) => ReactNode
}) {
  const id = useView().params['id'] ?? ''
  const isAdmin = useHasRole('apus_admin')
  return (
    <KundeLoad key={id} id={id} list="/member-management/client">
      {(kunde) =>
        isAdmin ? (
          <KundeAdmin kunde={kunde} billing={billing(kunde)} karten={karten(kunde)} />
        ) : (
          <KundeTeam kunde={kunde} karten={karten(kunde)} />
        )
      }
    </KundeLoad>
  )
}
