// /members/index: the people of the user's own account, for a customer's admin of the drainage half.
import type { ReactNode } from 'react'
import type { Kunde } from '#contract/kunde.ts'
import { useSession } from '../../data/session.ts'
import { ListPage } from '../../list/ListPage.tsx'
import type { Viewer } from '../../members/may-do.ts'
import { MembersScope, useMembers } from '../../members/use-members.tsx'
import { t } from '../../ui/text.ts'
import './account.css'
import { isManaging } from './own-kunden.ts'
import { KundePicker } from './KundePicker.tsx'

export function MembersPage() {
  const kataster = useSession().user?.kataster_enabled
  return (
    <KundePicker
      fits={isManaging}
      none={t('Sie verwalten noch keinen Kunden. Wenn Sie Nutzer anlegen möchten, sprechen Sie uns an.')}
    >
      {({ kunde, rolle }, { user_id, choice, several }) => (
        <Members
          key={kunde.client_id}
          kunde={kunde}
          viewer={{ user_id, provider: false, rolle, kataster }}
          choice={choice}
          several={several}
        />
      )}
    </KundePicker>
  )
}

interface Props {
  kunde: Kunde
  viewer: Viewer
  choice: ReactNode
  several: boolean
}
function Members({ kunde, viewer, choice, several }: Props) {
  // People from the admin's other customers can be added; people of any other customer are not visible at
  // all.
  const { list, actions, buttons, dialogs } = useMembers({ kunde, viewer, existing: several })
  return (
    <MembersScope actions={actions}>
      <ListPage list={list} actions={buttons} firstSteps={buttons}>
        {choice}
      </ListPage>
      {dialogs}
    </MembersScope>
  )
}
