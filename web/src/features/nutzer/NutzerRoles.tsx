// What a person may do, where each right comes from, and changing the base role and the team flags.
import type { UseQueryResult } from '@tanstack/react-query'
import { useState } from 'react'
import type { NutzerRecord } from '#contract/nutzer.ts'
import { type Origin, originsOf, isStaff, laysDown, mayGive, mayTake, rolesOf } from '#domain/role-origins.ts'
import { hasOneOf, SYSTEM_STATUS, type Role } from '#domain/roles.ts'
import { useSession } from '../../data/session.ts'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/Dialog.tsx'
import { Badge, Card, Notice } from '../../ui/Display.tsx'
import { Checkbox, SelectField } from '../../ui/Field.tsx'
import { Actions } from '../../ui/Page.tsx'
import { formatDate } from '../../ui/format.ts'
import { roleExplained, roleInWords } from '../../ui/role-words.ts'
import { ErrorState, Skeleton } from '../../ui/States.tsx'
import { t } from '../../ui/text.ts'
import { toast } from '../../ui/toasts.ts'
import { today } from '../../ui/today.ts'
import { useUnsavedChanges } from '../../ui/unsaved.ts'
import { changeRoles, type Links, type RolesChange, useChange } from './nutzer.data.ts'
import { nameOf } from '../../record/person/person-words.ts'
import { kundeRoleName } from './nutzer-words.ts'

export type Reach = (roles: readonly Role[]) => readonly { readonly path: string; readonly title: string }[]

interface Props {
  person: NutzerRecord
  links: UseQueryResult<Links>
  reachOf: Reach
}

export function NutzerRoles({ person, links, reachOf }: Props) {
  return (
    <div className="nutzer-columns">
      <div className="stack">
        {links.data ? (
          <Derived person={person} links={links.data} reachOf={reachOf} />
        ) : (
          <Card>
            {links.isError ? (
              <ErrorState error={links.error} onRetry={() => void links.refetch()} />
            ) : (
              <Skeleton lines={6} />
            )}
          </Card>
        )}
      </div>
      <RoleAssignment person={person} />
    </div>
  )
}

/** Record and links in the shape role-origins.ts expects. */
const situationOf = (person: NutzerRecord, { kunden, hqs }: Links) => ({
  ...person,
  pruefer: person.pruefer_bis !== null && person.pruefer_bis >= today(),
  kunden,
  hqs: hqs.map(({ hq_status, hq }) => ({ hq_status, fb_enabled: hq?.fb_enabled ?? false })),
})

function Derived({ person, links, reachOf }: { person: NutzerRecord; links: Links; reachOf: Reach }) {
  const situation = situationOf(person, links)
  const roles = rolesOf(situation)
  const reach = reachOf(roles)
  return (
    <>
      <Card title={t('Was diese Person darf')}>
        {!person.enabled && (
          <Notice tone="warning">
            {t('Der Zugang ist gesperrt: Zurzeit darf diese Person nichts davon.')}
          </Notice>
        )}
        <ul className="nutzer-roles">
          {roles.map((role) => (
            <li key={role}>
              <span>
                <Badge tone="info">{roleInWords(role)}</Badge>
              </span>
              <span className="soft">{roleExplained(role)}</span>
            </li>
          ))}
        </ul>
      </Card>
      <Card title={t('Woher die Rollen kommen')}>
        <ul className="nutzer-reasons">
          {originsOf(situation).map((reason) => (
            <li key={reason.art === 'kunde' ? `kunde-${links.kunden[reason.nr]?.client_id}` : reason.art}>
              <span>{reasonText(reason, person, links)}</span>
              <span className="nutzer-chips">
                {reason.rollen.map((role) => (
                  <Badge key={role}>{roleInWords(role)}</Badge>
                ))}
              </span>
            </li>
          ))}
        </ul>
        <p className="soft nutzer-hint">
          {t(
            'Meldet sich die Person über einen externen Anmeldedienst an, begrenzen dessen Gruppen zusätzlich, ' +
              'welche dieser Rollen gelten.',
          )}
        </p>
      </Card>
      <Card title={t('Worauf diese Person Zugriff hat')}>
        <div className="stack">
          <Reached
            title={t('Seiten')}
            names={reach.map(({ title }) => title)}
            none={t('Nur die Startseite.')}
          />
          <Reached
            title={t('Kunden')}
            names={
              isStaff(person)
                ? [t('alle (eigenes Team)')]
                : links.kunden.map(({ kunde, client_id }) => kunde?.name ?? t('Nr. {id}', { id: client_id }))
            }
            none={t('Kein Kunde zugeordnet.')}
          />
          <Reached
            title={t('Forstbetriebe')}
            names={reachedHqs(roles, links)}
            none={t('Kein freigeschalteter Forstbetrieb zugeordnet.')}
          />
        </div>
      </Card>
    </>
  )
}

function reachedHqs(roles: readonly Role[], { kunden, hqs }: Links): string[] {
  if (hasOneOf(roles, ['ogf_admin', 'ogf_team'])) return [t('alle (eigenes Team)')]
  const ofKunden = kunden
    .filter(({ rolle }) => rolle === 'kundenadmin' && roles.includes('kundenadmin'))
    .map(({ kunde, client_id }) => t('alle von {name}', { name: kunde?.name ?? String(client_id) }))
  const open = hqs.filter(({ hq }) => hq?.fb_enabled).map(({ hq, hqid }) => hq?.sHQ ?? String(hqid))
  return [...ofKunden, ...open]
}

function Reached({ title, names, none }: { title: string; names: readonly string[]; none: string }) {
  return (
    <div>
      <h3>{title}</h3>
      {names.length === 0 ? (
        <p className="soft">{none}</p>
      ) : (
        <ul className="nutzer-chips" aria-label={title}>
          {/* Two customers may have the same name. */}
          {names.map((name, nr) => (
            // oxlint-disable-next-line react/no-array-index-key
            <li key={nr}>
              <Badge>{name}</Badge>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

function reasonText(reason: Origin, person: NutzerRecord, { kunden, hqs }: Links): string {
  switch (reason.art) {
    case 'status':
      return t('Grundrolle „{role}“', { role: roleInWords(person.system_status) })
    case 'apus_admin':
      return t('Kennzeichen „Verwaltung Vermessung“')
    case 'apus_team':
      return t('Kennzeichen „Team Vermessung“')
    case 'kunde': {
      const link = kunden[reason.nr]
      return t('Zuordnung zum Kunden {name} als {rolle}', {
        name: link?.kunde?.name ?? String(link?.client_id),
        rolle: kundeRoleName(link?.rolle ?? ''),
      })
    }
    case 'mehrere_hqs':
      return t('Zuordnung zu {n} Forstbetrieben', { n: hqs.length })
    case 'hq_admin': {
      const names = hqs
        .filter(({ hq_status }) => hq_status.includes('hq_admin'))
        .map(({ hq, hqid }) => hq?.sHQ ?? String(hqid))
      return t('Eingetragen als Verwaltung von {names}', { names: names.join(', ') })
    }
    case 'keine_hq_frei':
      return t('Kein zugeordneter Forstbetrieb ist freigeschaltet')
    case 'pruefer':
      return t('Prüft die Buchhaltung bis {tag}', { tag: formatDate(person.pruefer_bis) })
  }
}

// Assigning roles

type Given = Pick<RolesChange, 'system_status' | 'apus_team' | 'apus_admin'>

const givenOf = ({ system_status, apus_team, apus_admin }: Given): Given => ({
  system_status,
  apus_team,
  apus_admin,
})

/** The roles being given, and saving them. */
function useRoleAssignment(person: NutzerRecord) {
  const saved = givenOf(person)
  // Only fields edited here; the others follow changes by somebody else.
  const [edits, setEdits] = useState<Partial<Given>>({})
  const given: Given = { ...saved, ...edits }
  const change = useChange(String(person.user_id), changeRoles)
  const dirty = (Object.keys(saved) as (keyof Given)[]).some((key) => given[key] !== saved[key])
  const disarm = useUnsavedChanges(dirty)
  const discard = () => {
    setEdits({})
  }
  return {
    saved,
    given,
    dirty,
    busy: change.isPending,
    edit: (edited: Partial<Given>) => setEdits({ ...edits, ...edited }),
    discard,
    save: (onSaved: () => void) =>
      change.mutateAsync({ before: person, ...given }).then(() => {
        disarm()
        discard()
        toast.success(t('Rollen von {name} gespeichert.', { name: nameOf(person) }))
        onSaved()
      }),
  }
}

function RoleAssignment({ person }: { person: NutzerRecord }) {
  const { saved, given, dirty, busy, edit, discard, save } = useRoleAssignment(person)
  const [asking, setAsking] = useState(false)
  const joins = isStaff({ ...person, ...given }) && !isStaff(person)
  return (
    <Card title={t('Rollen vergeben')}>
      <form
        className="stack"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (dirty) setAsking(true)
        }}
      >
        <RoleInputs person={person} given={given} onEdit={edit} />
        <Actions>
          <Button type="submit" variant="primary" disabled={!dirty}>
            {t('Rollen ändern')}
          </Button>
          <Button disabled={!dirty} onClick={discard}>
            {t('Verwerfen')}
          </Button>
        </Actions>
        <p className="soft">
          {t('Weitere Rollen ergeben sich aus den Zuordnungen zu Kunden und Forstbetrieben.')}
        </p>
      </form>
      <ConfirmDialog
        open={asking}
        title={t('Rollen ändern?')}
        record={`${nameOf(person)}, ${person.email}`}
        confirmLabel={t('Rollen ändern')}
        danger={!joins}
        busy={busy}
        onConfirm={() => save(() => setAsking(false))}
        onCancel={() => setAsking(false)}
      >
        <Consequences person={person} saved={saved} given={given} joins={joins} />
      </ConfirmDialog>
    </Card>
  )
}

interface RoleInputsProps {
  person: NutzerRecord
  given: Given
  onEdit: (edited: Partial<Given>) => void
}
function RoleInputs({ person, given, onEdit }: RoleInputsProps) {
  const { roles: held, user } = useSession()
  // People cannot give themselves a role, but can give up their own.
  const self = person.user_id === user?.user_id
  const statusFixed = !mayTake(held, person.system_status)
  const flagsFixed = self || !hasOneOf(held, ['apus_admin'])
  const options = SYSTEM_STATUS.filter(
    (status) =>
      status === person.system_status ||
      (mayGive(held, status) && (!self || laysDown(person.system_status, status))),
  )
  return (
    <>
      <SelectField
        label={t('Grundrolle')}
        value={given.system_status}
        disabled={statusFixed}
        options={options.map((status) => ({ value: status, label: roleInWords(status) }))}
        hint={
          statusFixed
            ? t('Diese Grundrolle darf nur ändern, wer sie selbst hat.')
            : t('Zur Auswahl stehen die Rollen, die Sie selbst vergeben dürfen.')
        }
        onChange={({ target }) => onEdit({ system_status: target.value })}
      />
      <Checkbox
        label={t('Team Vermessung')}
        checked={given.apus_team}
        disabled={flagsFixed}
        onChange={({ target }) => onEdit({ apus_team: target.checked })}
      />
      <Checkbox
        label={t('Verwaltung Vermessung')}
        checked={given.apus_admin}
        disabled={flagsFixed}
        hint={flagsFixed ? t('Diese Kennzeichen vergibt nur die Verwaltung Vermessung.') : undefined}
        onChange={({ target }) => onEdit({ apus_admin: target.checked })}
      />
    </>
  )
}

interface ConsequencesProps {
  person: NutzerRecord
  saved: Given
  given: Given
  /** The person becomes one of the provider's staff. */
  joins: boolean
}
function Consequences({ person, saved, given, joins }: ConsequencesProps) {
  const { user } = useSession()
  return (
    <ul className="nutzer-hint">
      {given.system_status !== saved.system_status && (
        <li>
          {t('Grundrolle: {before} wird zu {after}.', {
            before: roleInWords(saved.system_status),
            after: roleInWords(given.system_status),
          })}
        </li>
      )}
      {given.apus_team !== saved.apus_team && (
        <li>{given.apus_team ? t('Kommt ins Team Vermessung.') : t('Verlässt das Team Vermessung.')}</li>
      )}
      {given.apus_admin !== saved.apus_admin && (
        <li>
          {given.apus_admin
            ? t('Kommt in die Verwaltung Vermessung.')
            : t('Verlässt die Verwaltung Vermessung.')}
        </li>
      )}
      {joins && (
        <li>
          {t(
            'Wer ins Team kommt, meldet sich neu an, mit zweitem Faktor, wenn er für das Team verlangt wird.',
          )}
        </li>
      )}
      {user?.user_id === person.user_id && (
        <li>{t('Das ist Ihr eigener Zugang: Sie verlieren vielleicht das Recht, es zurückzunehmen.')}</li>
      )}
    </ul>
  )
}
