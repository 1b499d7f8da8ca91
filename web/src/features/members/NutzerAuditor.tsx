// Auditing the books: until which day the person reads them, and ending that.
import { useState } from 'react'
import { nameOf } from '../../record/person/person-words.ts'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/Dialog.tsx'
import { Badge, Card } from '../../ui/Display.tsx'
import { DateField } from '../../ui/DateField.tsx'
import { formatDate } from '../../ui/format.ts'
import { Actions } from '../../ui/Page.tsx'
import { parseDay } from '../../ui/parse-day.ts'
import { Refusal } from '../../ui/Refusal.tsx'
import { roleExplained } from '../../ui/role-words.ts'
import { t } from '../../ui/text.ts'
import { toast } from '../../ui/toasts.ts'
import { today } from '../../ui/today.ts'
import { useUnsavedChanges } from '../../ui/unsaved.ts'
import { type Person, useSetAuditor } from './nutzer.data.ts'

/** Auditors hold no other role, so only people without one are offered it. */
export const mayAudit = ({ system_status, apus_admin, apus_team, pruefer_bis }: Person): boolean =>
  pruefer_bis !== null || (system_status === 'ogf_init' && !apus_admin && !apus_team)

export const isAuditing = ({ pruefer_bis }: Person): boolean => pruefer_bis !== null && pruefer_bis >= today()

/** The same rule as the database's, shown before the question. */
function faultOf(day: string | null): string | null {
  if (day === null || day === '') return t('Bitte ein Datum wie 31.12.2026.')
  const first = today()
  const last = String(Number(first.slice(0, 4)) + 2) + first.slice(4)
  return day < first || day > last
    ? t('Bitte wählen Sie einen Tag von heute an, höchstens zwei Jahre voraus.')
    : null
}

export function NutzerAuditor({ person }: { person: Person }) {
  const { pruefer_bis } = person
  const stored = formatDate(pruefer_bis)
  const [typed, setTyped] = useState<string | null>(null)
  const [asking, setAsking] = useState<string | null | false>(false)
  const [fault, setFault] = useState<string | null>(null)
  const set = useSetAuditor(person)
  const text = typed ?? stored
  const day = parseDay(text)
  const isDirty = typed !== null && typed !== stored
  const name = nameOf(person)
  useUnsavedChanges(isDirty)
  const save = () => {
    if (asking === false) return undefined
    setFault(null)
    return set.mutateAsync(asking).then(() => {
      setTyped(null)
      toast.success(
        asking === null
          ? t('{name} liest die Buchhaltung nicht mehr.', { name })
          : t('{name} liest die Buchhaltung bis {tag}.', { name, tag: formatDate(asking) }),
      )
      setAsking(false)
    })
  }
  return (
    <Card title={t('Betriebsprüfung')}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          const found = faultOf(day)
          setFault(found)
          if (found === null) setAsking(day)
        }}
      >
        <p className="soft">{roleExplained('pruefer')}</p>
        {pruefer_bis !== null && (
          <p>
            <Badge tone={isAuditing(person) ? 'success' : 'neutral'}>
              {isAuditing(person)
                ? t('Prüft bis {tag}', { tag: stored })
                : t('Prüfung am {tag} beendet', { tag: stored })}
            </Badge>
          </p>
        )}
        <DateField
          label={t('Liest die Buchhaltung bis')}
          hint={t('Dieser Tag gehört noch dazu. Höchstens zwei Jahre voraus.')}
          value={text}
          onChange={({ target }) => setTyped(target.value)}
        />
        {fault !== null && <Refusal title={t('Nicht gespeichert')}>{fault}</Refusal>}
        <Actions>
          <Button type="submit" variant="primary" busy={set.isPending} disabled={!isDirty}>
            {isAuditing(person) ? t('Tag ändern') : t('Prüfung erlauben')}
          </Button>
          {pruefer_bis !== null && (
            <Button disabled={set.isPending} onClick={() => setAsking(null)}>
              {t('Prüfung beenden')}
            </Button>
          )}
        </Actions>
      </form>
      <ConfirmDialog
        open={asking !== false}
        title={asking === null ? t('Prüfung beenden?') : t('Prüfung erlauben?')}
        record={`${name} · ${person.email}`}
        confirmLabel={asking === null ? t('Beenden') : t('Erlauben')}
        danger
        busy={set.isPending}
        onConfirm={save}
        onCancel={() => setAsking(false)}
      >
        <p>
          {asking === null
            ? t('Die Person sieht die Buchhaltung ab sofort nicht mehr.')
            : t(
                'Die Person liest bis {tag} alle ausgestellten Rechnungen und Angebote, Zahlungen, das Protokoll ' +
                  'und das Archiv.',
                { tag: formatDate(asking || null) },
              )}
        </p>
        {typeof asking === 'string' && !isAuditing(person) && (
          <p>{t('Sie wird abgemeldet und braucht bei der nächsten Anmeldung den zweiten Faktor.')}</p>
        )}
      </ConfirmDialog>
    </Card>
  )
}
