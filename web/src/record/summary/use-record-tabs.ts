// Which tab of a record is open. Everything at a glance comes first; where unsaved input from before waits, its
// form does, so that it is offered at once.
import { useState } from 'react'
import { useView } from '../../ui/view.tsx'

/** `drafts`: unsaved input by the tab that has its form. */
export function useRecordTabs(drafts: Readonly<Record<string, object | null>> = {}) {
  const { search, setSearch } = useView()
  const [first] = useState(
    () => Object.entries(drafts).find(([, draft]) => draft !== null)?.[0] ?? 'ueberblick',
  )
  return {
    value: search['ansicht'] ?? first,
    onChange: (tab: string) => setSearch({ ansicht: tab === first ? undefined : tab }, { replace: true }),
  }
}
