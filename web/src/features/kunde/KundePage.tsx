import { Page } from '../../ui/Page.tsx'
import { Skeleton } from '../../ui/States.tsx'

export function KundePage() {
  return (
    <Page>
      <Skeleton />
    </Page>
  )
}
