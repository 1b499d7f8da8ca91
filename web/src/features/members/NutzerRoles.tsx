// Base role and staff flags of a person. Changes that affect rights ask for confirmation.
import { useState } from 'react'
import { isStaff, laysDown, statusToGive } from '#domain/role-origins.ts'
import { useSession } from '../../data/session.ts'
import { nameOf } from '../../record/person/person-words.ts'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/Dialog.tsx'
import { Card, Notice } from '../../ui/Display.tsx'
import { Checkbox, SelectField } from '../../ui/Field.tsx'
import { Actions } from '../../ui/Page.tsx'
import { roleExplained, roleInWords } from '../../ui/role-words.ts'
import { t } from '../../ui/text.ts'
import { toast } from '../../ui/toasts.ts'
import { useUnsavedChanges } from '../../ui/unsaved.ts'
import { type Person, type Roles, useSetRoles } from './nutzer.data.ts'

export interface RolesDraft {
  readonly before: Roles
  readonly wanted: Roles
  readonly setWanted: (wanted: Roles | null) => void
}
/**
 * State of the page and not of the tab, so that switching tabs loses nothing; discarded when the person's
 * record changes.
 */
export function useRolesDraft(person: Person): RolesDraft {
  const { system_status, apus_team, apus_admin, version } = person
  const before: Roles = { system_status, apus_team, apus_admin }
  const [draft, setDraft] = useState<{ version: number; wanted: Roles } | null>(null)
  const wanted = draft?.version === version ? draft.wanted : before
  useUnsavedChanges(changesText(before, wanted).length > 0)
  return { before, wanted, setWanted: (next) => setDraft(next && { version, wanted: next }) }
}

export function NutzerRoles({
  person,
  draft: { before, wanted, setWanted },
}: {
  person: Person
  draft: RolesDraft
}) {
  const [asking, setAsking] = useState(false)
  const set = useSetRoles(person)
  const isDirty = changesText(before, wanted).length > 0
  const save = () => {
    return set.mutateAsync(wanted).then(() => {
      toast.success(t('Rollen von {name} gespeichert.', { name: nameOf(person) }))
      setAsking(false)
    })
  }
  const discard = () => {
    setWanted(null)
  }
  return (
    <Card title={t('Rollen')}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          if (isDirty) setAsking(true)
        }}
      >
        <RoleInputs person={person} wanted={wanted} onChange={setWanted} />
        <Actions>
          <Button type="submit" variant="primary" busy={set.isPending} disabled={!isDirty}>
            {t('Rollen speichern')}
          </Button>
          <Button disabled={!isDirty || set.isPending} onClick={discard}>
            {t('Verwerfen')}
          </Button>
        </Actions>
      </form>
      <ConfirmDialog
        open={asking}
        title={t('Rollen ändern?')}
        record={`${nameOf(person)} · ${person.email}`}
        confirmLabel={t('Ändern')}
        danger={isStaff(wanted) || isStaff(before)}
        busy={set.isPending}
        onConfirm={save}
        onCancel={() => setAsking(false)}
      >
        <Consequences person={person} before={before} wanted={wanted} />
      </ConfirmDialog>
    </Card>
  )
}

interface RoleInputsProps {
  person: Person
  wanted: Roles
  onChange: (wanted: Roles) => void
}
function RoleInputs({ person, wanted, onChange }: RoleInputsProps) {
  const { roles, user } = useSession()
  const self = person.user_id === user?.user_id
  const given = statusToGive(roles, person.system_status)
  // Own roles can only be given up.
  const options = self
    ? given.filter((one) => one === person.system_status || laysDown(person.system_status, one))
    : given
  const role = roleInWords(person.system_status)
  return (
    <>
      {options.length > 0 ? (
        <SelectField
          label={t('Grundrolle')}
          hint={roleExplained(wanted.system_status)}
          options={options.map((value) => ({ value, label: roleInWords(value) }))}
          value={wanted.system_status}
          onChange={({ target }) => onChange({ ...wanted, system_status: target.value })}
        />
      ) : (
        <Notice>
          {self
            ? t('Ihre Grundrolle ist {rolle}. Eigene Rollen vergibt eine andere Person.', { rolle: role })
            : t('Die Grundrolle ist {rolle}. Sie wird von der anderen Verwaltung vergeben.', { rolle: role })}
        </Notice>
      )}
      <Checkbox
        label={t('Team Vermessung')}
        hint={roleExplained('apus_team')}
        checked={wanted.apus_team}
        onChange={({ target }) => onChange({ ...wanted, apus_team: target.checked })}
      />
      <Checkbox
        label={t('Verwaltung Vermessung')}
        hint={roleExplained('apus_admin')}
        checked={wanted.apus_admin}
        onChange={({ target }) => onChange({ ...wanted, apus_admin: target.checked })}
      />
    </>
  )
}

function Consequences({ person, before, wanted }: { person: Person; before: Roles; wanted: Roles }) {
  const { user } = useSession()
  return (
    <>
      <ul className="mitglieder-changes">
        {changesText(before, wanted).map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
      {isStaff(wanted) && !isStaff(before) && (
        <p>
          {t(
            'Die Person gehört danach zu unserem Team. Sie wird abgemeldet und braucht bei der nächsten ' +
              'Anmeldung den zweiten Faktor.',
          )}
        </p>
      )}
      {person.user_id === user?.user_id && (
        <p>
          {t(
            'Das sind Ihre eigenen Rollen. Was Sie sich selbst nehmen, kann Ihnen nur eine andere Person zurückgeben.',
          )}
        </p>
      )}
    </>
  )
}

export function changesText(before: Roles, after: Roles): string[] {
  const flag = (on: boolean, role: string) =>
    on ? t('{rolle} geben', { rolle: role }) : t('{rolle} nehmen', { rolle: role })
  return [
    ...(before.system_status === after.system_status
      ? []
      : [
          t('Grundrolle: {before} wird {after}', {
            before: roleInWords(before.system_status),
            after: roleInWords(after.system_status),
          }),
        ]),
    ...(before.apus_team === after.apus_team ? [] : [flag(after.apus_team, t('Team Vermessung'))]),
    ...(before.apus_admin === after.apus_admin ? [] : [flag(after.apus_admin, t('Verwaltung Vermessung'))]),
  ]
}
