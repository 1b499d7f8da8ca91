// Model behind a customer's people list: row actions with their dialogs and messages. The page shows the list
// and `dialogs`.
import { useMemo, useState } from 'react'
import type { ReactNode } from 'react'
import type { List } from '../list/list.ts'
import { Button } from '../ui/Button.tsx'
import { ConfirmDialog } from '../ui/Dialog.tsx'
import { splitOff } from '../ui/split-off.tsx'
import { t } from '../ui/text.ts'
import { toast } from '../ui/toasts.ts'
import { InvitationDialog, type Invited } from '../record/account/InvitationDialog.tsx'
import { inviteFault, useInvite } from '../record/account/account.data.ts'
import { messageOf } from '../record/record-faults.ts'
import { type Membership, mayDo, rolesToGive, type Viewer } from './may-do.ts'
import { nameOf } from '../record/person/person-words.ts'
import { linkRoleName } from './member-words.ts'
import { type MemberActions, MemberActionsContext } from './member-actions.ts'
import { type Change, useChangeMember } from './members.data.ts'
import type { MembersKunde } from './members.data.ts'
import { memberList } from './member-list.tsx'
import { RoleDialog } from './RoleDialog.tsx'

const CreateMember = splitOff(async () => (await import('./CreateMember.tsx')).CreateMember)
const AddMember = splitOff(async () => (await import('./AddMember.tsx')).AddMember)

interface Asked {
  readonly act: 'app' | 'einladen' | 'entfernen' | 'rolle'
  readonly person: Membership
}
export interface MembersModel {
  readonly list: List<Membership>
  readonly actions: MemberActions
  /** Buttons that add people; null if the viewer may not. */
  readonly buttons: ReactNode
  readonly dialogs: ReactNode
}

interface Options {
  readonly kunde: MembersKunde
  readonly viewer: Viewer
  /** Address of a person's page. */
  readonly hrefOf?: (user_id: number) => string
  /** Whether existing people can be added. */
  readonly existing: boolean
}

export function useMembers({ kunde, viewer, hrefOf, existing }: Options): MembersModel {
  const { client_id, name: kundeName, kataster_status } = kunde
  const { user_id, provider, forst, rolle, kataster } = viewer
  const list = useMemo(
    () =>
      memberList(
        { client_id, name: kundeName, kataster_status },
        { user_id, provider, forst, rolle, kataster },
        hrefOf,
      ),
    [client_id, kundeName, kataster_status, user_id, provider, forst, rolle, kataster, hrefOf],
  )
  const [asked, setAsked] = useState<Asked | null>(null)
  const [adding, setAdding] = useState<'new' | 'existing' | null>(null)
  const [invited, setInvited] = useState<Invited | null>(null)
  const change = useChangeMember()
  const invite = useInvite()
  const busy = change.isPending || invite.isPending
  const { mutate, mutateAsync } = change

  const actions = useMemo<MemberActions>(
    () => (act, person) => {
      if (act !== 'kataster') return setAsked({ act, person })
      const on = !person.kataster_enabled
      mutate(
        { client_id, change: { kind: 'kataster', user_id: person.user_id, on } },
        {
          onSuccess: () => {
            const name = nameOf(person)
            toast.undo(
              on
                ? t('{name} sieht jetzt das Kataster.', { name })
                : t('{name} sieht das Kataster nicht mehr.', { name }),
              () =>
                mutateAsync({ client_id, change: { kind: 'kataster', user_id: person.user_id, on: !on } }),
            )
          },
          onError: (error) => toast.error(messageOf(error)),
        },
      )
    },
    [mutate, mutateAsync, client_id],
  )
  const run = (what: Change, done: string, back?: Change) =>
    change.mutate(
      { client_id, change: what },
      {
        onSuccess: () =>
          back ? toast.undo(done, () => mutateAsync({ client_id, change: back })) : toast.success(done),
        onError: (error) => toast.error(messageOf(error)),
        onSettled: () => setAsked(null),
      },
    )
  const send = (person: { user_id: number; email: string }, name: string) =>
    invite.mutate(person.user_id, {
      onSuccess: (invitation) => setInvited({ name, email: person.email, invitation }),
      onError: (error) => toast.error(inviteFault(error)),
      onSettled: () => setAsked(null),
    })
  const confirm = ({ act, person }: Asked) => {
    if (busy) return
    const name = nameOf(person)
    if (act === 'einladen') return send(person, name)
    if (act === 'entfernen')
      return run(
        { kind: 'remove', user_id: person.user_id },
        t('{name} gehört nicht mehr zu {kunde}.', { name, kunde: kundeName }),
      )
    const status = person.app_status === 'aktiv' ? 'gesperrt' : 'aktiv'
    run(
      { kind: 'app', user_id: person.user_id, username: person.username, status },
      status === 'aktiv'
        ? t('{name} kann die App wieder benutzen.', { name })
        : t('{name} kann die App nicht mehr benutzen.', { name }),
      {
        kind: 'app',
        user_id: person.user_id,
        username: person.username,
        status: person.app_status === 'aktiv' ? 'aktiv' : 'gesperrt',
      },
    )
  }

  const mayAdd = rolesToGive(viewer).length > 0
  return {
    list,
    actions,
    buttons: mayAdd && (
      <>
        {existing && (
          <Button icon="search" onClick={() => setAdding('existing')}>
            {t('Vorhandene Person hinzufügen')}
          </Button>
        )}
        <Button variant="primary" icon="plus" onClick={() => setAdding('new')}>
          {t('Neue Person anlegen')}
        </Button>
      </>
    ),
    dialogs: (
      <>
        {asked && asked.act === 'rolle' && (
          <RoleDialog
            kunde={kundeName}
            name={nameOf(asked.person)}
            rolle={asked.person.rolle}
            rollen={mayDo(viewer, asked.person, kunde).rollen}
            busy={busy}
            onClose={() => setAsked(null)}
            onSave={(wanted) =>
              run(
                { kind: 'rolle', user_id: asked.person.user_id, rolle: wanted },
                t('{name} ist jetzt {rolle}.', { name: nameOf(asked.person), rolle: linkRoleName(wanted) }),
              )
            }
          />
        )}
        {asked && asked.act !== 'rolle' && (
          <ConfirmDialog
            open
            {...question(asked, kundeName)}
            record={`${nameOf(asked.person)} · ${asked.person.email}`}
            busy={busy}
            onConfirm={() => confirm(asked)}
            onCancel={() => setAsked(null)}
          />
        )}
        {adding === 'new' && (
          <CreateMember
            kunde={kunde}
            viewer={viewer}
            onClose={() => setAdding(null)}
            onAdded={(user, name, wantsInvitation) => {
              setAdding(null)
              if (wantsInvitation) send(user, name)
            }}
          />
        )}
        {adding === 'existing' && <AddMember kunde={kunde} viewer={viewer} onClose={() => setAdding(null)} />}
        <InvitationDialog invited={invited} onClose={() => setInvited(null)} />
      </>
    ),
  }
}

export const MembersScope = ({ actions, children }: { actions: MemberActions; children: ReactNode }) => (
  <MemberActionsContext value={actions}>{children}</MemberActionsContext>
)

function question(
  { act, person }: Asked,
  kunde: string,
): { title: string; confirmLabel: string; danger: boolean; children: ReactNode } {
  switch (act) {
    case 'entfernen':
      return {
        title: t('Aus {kunde} entfernen?', { kunde }),
        confirmLabel: t('Entfernen'),
        danger: true,
        children: (
          <p>
            {t(
              'Die Person sieht diesen Kunden ab ihrem nächsten Aufruf nicht mehr. Ihr Zugang und ihre übrigen Zugehörigkeiten bleiben.',
            )}
          </p>
        ),
      }
    case 'einladen':
      return {
        title: t('Einladung verschicken?'),
        confirmLabel: t('Einladen'),
        danger: false,
        children: (
          <p>
            {t(
              'Die Person bekommt einen Link, mit dem sie ihr Passwort selbst setzt. Frühere Einladungen gelten dann nicht mehr.',
            )}
          </p>
        ),
      }
    default:
      return person.app_status === 'aktiv'
        ? {
            title: t('App sperren?'),
            confirmLabel: t('App sperren'),
            danger: true,
            children: (
              <p>{t('Die Person kann die mobile App nicht mehr benutzen. Der Zugang am Rechner bleibt.')}</p>
            ),
          }
        : {
            title: t('App freigeben?'),
            confirmLabel: t('App freigeben'),
            danger: false,
            children: <p>{t('Die Person kann die mobile App wieder benutzen.')}</p>,
          }
  }
}
