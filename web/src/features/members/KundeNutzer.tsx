// The people of a customer, on the customer's page.
import type { Kunde } from '#contract/kunde.ts'
import { ListCard, useList } from '../../list/ListPage.tsx'
import type { Viewer } from '../../members/may-do.ts'
import { MembersScope, useMembers } from '../../members/use-members.tsx'
import { Notice } from '../../ui/Display.tsx'
import { Actions } from '../../ui/Page.tsx'
import { t } from '../../ui/text.ts'
import { nutzerHref } from './nutzer-list.tsx'

export function KundeNutzer({ kunde, viewer }: { kunde: Kunde; viewer: Viewer }) {
  const { list, actions, buttons, dialogs } = useMembers({
    kunde,
    viewer,
    existing: true,
    ...(viewer.provider && { hrefOf: nutzerHref }),
  })
  const model = useList(list)
  return (
    <MembersScope actions={actions}>
      <div className="stack">
        {!kunde.kataster_status &&
          (model.rows.all ?? []).some(({ kataster_enabled }) => kataster_enabled) && (
            <Notice>
              {t(
                'Das Kataster ist für diesen Kunden nicht freigeschaltet. So lange hat die Einstellung bei den ' +
                  'Personen keine Wirkung.',
              )}
            </Notice>
          )}
        {buttons && <Actions>{buttons}</Actions>}
        <ListCard model={model} />
      </div>
      {dialogs}
    </MembersScope>
  )
}
