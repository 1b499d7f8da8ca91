// /member-management/client/{id}: the screen of a customer, with the bookkeeping's part of it loaded when it is opened.
import { lazy, Suspense } from 'react'
import { KundePage } from '../../features/mitglieder/KundePage.tsx'
import { Card } from '../../ui/Display.tsx'
import { Skeleton } from '../../ui/States.tsx'

const Rechnungsdaten = lazy(async () => ({ default: (await import('../../features/buchhaltung/kunde/Rechnungsdaten.tsx')).Rechnungsdaten }))

export const KundeMitAbrechnungPage = () => (
  <KundePage
    abrechnung={({ client_id }) => (
      <Suspense
        fallback={
          <Card>
            <Skeleton lines={8} />
          </Card>
        }
      >
        <Rechnungsdaten id={String(client_id)} />
      </Suspense>
    )}
  />
)
