// /member-management/client/{id}: the screen of a customer, with the parts of it that other features keep: loaded when they are opened.
import { lazy, type ReactNode, Suspense } from 'react'
import { KundePage } from '../../features/mitglieder/KundePage.tsx'
import { Card } from '../../ui/Display.tsx'
import { Skeleton } from '../../ui/States.tsx'

const Rechnungsdaten = lazy(async () => ({ default: (await import('../../features/buchhaltung/kunde/Rechnungsdaten.tsx')).Rechnungsdaten }))
const KundeKarten = lazy(async () => ({ default: (await import('../../features/karte/KundeKarten.tsx')).KundeKarten }))

const Spaeter = ({ children }: { children: ReactNode }) => (
  <Suspense
    fallback={
      <Card>
        <Skeleton lines={8} />
      </Card>
    }
  >
    {children}
  </Suspense>
)

export const KundeMitAbrechnungPage = () => (
  <KundePage
    abrechnung={({ client_id }) => (
      <Spaeter>
        <Rechnungsdaten id={String(client_id)} />
      </Spaeter>
    )}
    karten={({ client_id }) => (
      <Spaeter>
        <KundeKarten client_id={client_id} />
      </Spaeter>
    )}
  />
)
