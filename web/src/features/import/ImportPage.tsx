import { Page } from '../../ui/Page.tsx'
import { Skeleton } from '../../ui/States.tsx'

export function ImportPage() {
  return (
    <Page>
      <Skeleton />
    </Page>
  )
}
