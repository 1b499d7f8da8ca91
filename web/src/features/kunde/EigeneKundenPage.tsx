import { Page } from '../../ui/Page.tsx'
import { Skeleton } from '../../ui/States.tsx'

export function EigeneKundenPage() {
  return (
    <Page>
      <Skeleton />
    </Page>
  )
}
