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
import { useAsked } from '../ui/use-asked.ts'
import { InvitationDialog, type Invited } from '../record/account/InvitationDialog.tsx'
import { inviteFault, useInvite } from '../record/account/account.data.ts'
import { messageOf } from '../record/record-faults.ts'
import { type Membership, mayDo, rolesToGive, type Viewer } from './may-do.ts'
import { nameOf } from '../record/person/person-words.ts'
import { linkRoleName, type Role } from './member-words.ts'
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
  /** Opens the form of a new person; undefined if the viewer may not add any. */
  readonly create: (() => void) | undefined
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
  const changes = useMemberChanges(kunde)
  const created = useAsked('neu', 'person')
  const [choosing, setChoosing] = useState(false)
  const mayAdd = rolesToGive(viewer).length > 0
  return {
    list,
    actions: changes.actions,
    buttons: mayAdd && (
      <AddButtons existing={existing} onCreate={created.open} onChoose={() => setChoosing(true)} />
    ),
    create: mayAdd ? created.open : undefined,
    dialogs: (
      <>
        <ActionDialog kunde={kunde} viewer={viewer} {...changes} />
        {mayAdd && created.isOpen && (
          <CreateMember
            kunde={kunde}
            viewer={viewer}
            onClose={created.close}
            onAdded={(user, name, wantsInvitation) => {
              created.close()
              if (wantsInvitation)
                void changes.send(user, name).catch((error: unknown) => toast.error(inviteFault(error)))
            }}
          />
        )}
        {choosing && <AddMember kunde={kunde} viewer={viewer} onClose={() => setChoosing(false)} />}
        <InvitationDialog invited={changes.invited} onClose={changes.closeInvitation} />
      </>
    ),
  }
}

/** What is asked about a person, and the changes with their messages. */
function useMemberChanges({ client_id, name: kundeName }: MembersKunde) {
  const [asked, setAsked] = useState<Asked | null>(null)
  const [invited, setInvited] = useState<Invited | null>(null)
  const { mutate, mutateAsync, isPending } = useChangeMember()
  const invite = useInvite()

  const actions = useMemo<MemberActions>(
    () => (act, person) => {
      if (act !== 'kataster') return setAsked({ act, person })
      const { change, back, done } = katasterChange(person)
      mutate(
        { client_id, change },
        {
          onSuccess: () => toast.undo(done, () => mutateAsync({ client_id, change: back })),
          onError: (error) => toast.error(messageOf(error)),
        },
      )
    },
    [mutate, mutateAsync, client_id],
  )
  const run = (change: Change, message: string, back?: Change) =>
    mutateAsync({ client_id, change }).then(() => {
      if (back) toast.undo(message, () => mutateAsync({ client_id, change: back }))
      else toast.success(message)
      setAsked(null)
    })
  const send = (person: { user_id: number; email: string }, name: string) =>
    invite.mutateAsync(person.user_id).then((invitation) => {
      setInvited({ name, email: person.email, invitation })
      setAsked(null)
    })
  const busy = isPending || invite.isPending
  return {
    actions,
    asked,
    busy,
    invited,
    closeInvitation: () => setInvited(null),
    cancel: () => setAsked(null),
    send,
    setRole: (person: Membership, role: Role) =>
      run(
        { kind: 'rolle', user_id: person.user_id, rolle: role },
        t('{name} ist jetzt {rolle}.', { name: nameOf(person), rolle: linkRoleName(role) }),
      ),
    confirm: ({ act, person }: Asked) => {
      if (busy) return undefined
      const name = nameOf(person)
      if (act === 'einladen') return send(person, name)
      if (act === 'entfernen')
        return run(
          { kind: 'remove', user_id: person.user_id },
          t('{name} gehört nicht mehr zu {kunde}.', { name, kunde: kundeName }),
        )
      const { change, back, done } = appChange(person)
      return run(change, done, back)
    },
  }
}
type MemberChanges = ReturnType<typeof useMemberChanges>

interface WithUndo {
  readonly change: Change
  readonly back: Change
  readonly done: string
}
function katasterChange(person: Membership): WithUndo {
  const { user_id, kataster_enabled: on } = person
  const name = nameOf(person)
  return {
    change: { kind: 'kataster', user_id, on: !on },
    back: { kind: 'kataster', user_id, on },
    done: on
      ? t('{name} sieht das Kataster nicht mehr.', { name })
      : t('{name} sieht jetzt das Kataster.', { name }),
  }
}
function appChange(person: Membership): WithUndo {
  const { user_id, username } = person
  const name = nameOf(person)
  const isOn = person.app_status === 'aktiv'
  const change = (status: 'aktiv' | 'gesperrt'): Change => ({ kind: 'app', user_id, username, status })
  return {
    change: change(isOn ? 'gesperrt' : 'aktiv'),
    back: change(isOn ? 'aktiv' : 'gesperrt'),
    done: isOn
      ? t('{name} kann die App nicht mehr benutzen.', { name })
      : t('{name} kann die App wieder benutzen.', { name }),
  }
}

interface AddButtonsProps {
  existing: boolean
  onCreate: () => void
  onChoose: () => void
}
const AddButtons = ({ existing, onCreate, onChoose }: AddButtonsProps) => (
  <>
    {existing && (
      <Button icon="search" onClick={onChoose}>
        {t('Vorhandene Person hinzufügen')}
      </Button>
    )}
    <Button variant="primary" icon="plus" onClick={onCreate}>
      {t('Neue Person anlegen')}
    </Button>
  </>
)

type ActionDialogProps = Pick<Options, 'kunde' | 'viewer'> & MemberChanges
function ActionDialog({ kunde, viewer, asked, busy, cancel, setRole, confirm }: ActionDialogProps) {
  if (asked === null) return null
  const { act, person } = asked
  const name = nameOf(person)
  return act === 'rolle' ? (
    <RoleDialog
      kunde={kunde.name}
      name={name}
      rolle={person.rolle}
      rollen={mayDo(viewer, person, kunde).rollen}
      onClose={cancel}
      onSave={(wanted) => setRole(person, wanted)}
    />
  ) : (
    <ConfirmDialog
      open
      {...question(asked, kunde.name)}
      record={`${name} · ${person.email}`}
      busy={busy}
      {...(act === 'einladen' && { faultText: inviteFault })}
      onConfirm={() => confirm(asked)}
      onCancel={cancel}
    />
  )
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
              'Die Person sieht diesen Kunden ab sofort nicht mehr. Ihr Zugang und ihre übrigen Zuordnungen ' +
                'bleiben.',
            )}
          </p>
        ),
      }
    case 'einladen':
      return {
        title: t('Einladung versenden?'),
        confirmLabel: t('Einladen'),
        danger: false,
        children: (
          <p>
            {t(
              'Die Person bekommt einen Link, mit dem sie ihr Passwort selbst setzt. Frühere Einladungen ' +
                'gelten dann nicht mehr.',
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
            title: t('App entsperren?'),
            confirmLabel: t('App entsperren'),
            danger: false,
            children: <p>{t('Die Person kann die mobile App wieder benutzen.')}</p>,
          }
  }
}
