// Connects a person: found by name among the visible people, or by the complete sign-in address.
import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import type { Hq } from '#contract/hq.ts'
import type { UserOfHq } from '#contract/rpc.ts'
import { useHasRole } from '../../data/session.ts'
import { messageOf } from '../../record/record-faults.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Badge } from '../../ui/Display.tsx'
import { Refusal } from '../../ui/Refusal.tsx'
import { TextField } from '../../ui/Field.tsx'
import { t } from '../../ui/text.ts'
import { toast } from '../../ui/toasts.ts'
import { findPeople, type PersonHit, personName, usePersonAct } from './forstbetrieb.data.ts'

interface Props {
  hq: Hq
  connected: readonly UserOfHq[]
  onClose: () => void
}

/** One at a time; `pending` is the person being connected. */
function useConnect(hq: Hq) {
  const [fault, setFault] = useState<string | null>(null)
  const act = usePersonAct(hq)
  const connect = (person: PersonHit) => {
    if (act.isPending) return
    setFault(null)
    act.mutate(
      { kind: 'connect', person },
      {
        onSuccess: () =>
          toast.success(t('{name} ist jetzt „{hq}“ zugeordnet.', { name: personName(person), hq: hq.sHQ })),
        onError: (error) => setFault(messageOf(error)),
      },
    )
  }
  const pending = act.isPending && act.variables.kind === 'connect' ? act.variables.person.user_id : null
  return { fault, setFault, pending, connect }
}

const nobodyText = (error: Error | null, seesAll: boolean): string => {
  if (error !== null) return messageOf(error)
  return seesAll
    ? t('Niemand gefunden. Neue Personen laden Sie unter „Nutzer“ ein.')
    : t(
        'Niemand gefunden, den Sie zuordnen dürfen. Bitte prüfen Sie die Schreibweise oder geben Sie ' +
          'die ganze E-Mail-Adresse ein.',
      )
}

export function ConnectPerson({ hq, connected, onClose }: Props) {
  const [text, setText] = useState('')
  const { fault, setFault, pending, connect } = useConnect(hq)
  const asked = useDeferredValue(text.trim())
  const hits = useQuery(findPeople(String(hq.idHQ), asked))
  const seesAll = useHasRole('ogf_admin')
  const rows = asked.length < 2 ? [] : (hits.data ?? [])
  return (
    <Dialog
      open
      title={t('Person zuordnen')}
      onClose={onClose}
      footer={<Button onClick={onClose}>{t('Fertig')}</Button>}
    >
      <div className="stack">
        <TextField
          label={t('Name oder E-Mail')}
          value={text}
          maxLength={120}
          autoComplete="off"
          onChange={({ target }) => {
            setText(target.value)
            setFault(null)
          }}
          hint={
            seesAll
              ? t('Gesucht wird unter allen Personen.')
              : t(
                  'Gesucht wird unter den Personen, die Sie verwalten. Wer sich gerade erst ' +
                    'registriert hat, wird mit der ganzen E-Mail-Adresse gefunden.',
                )
          }
        />
        {fault !== null && <Refusal title={t('Nicht zugeordnet')}>{fault}</Refusal>}
        <div aria-live="polite" aria-busy={hits.isFetching}>
          {rows.length > 0 ? (
            <ul className="hq-hits" aria-label={t('Gefundene Personen')}>
              {rows.map((person) => (
                <Hit
                  key={person.user_id}
                  person={person}
                  isConnected={connected.some(({ user_id }) => user_id === person.user_id)}
                  busy={pending === person.user_id}
                  onConnect={() => connect(person)}
                />
              ))}
            </ul>
          ) : (
            asked.length >= 2 && !hits.isFetching && <p className="soft">{nobodyText(hits.error, seesAll)}</p>
          )}
        </div>
      </div>
    </Dialog>
  )
}

function Hit({
  person,
  isConnected,
  busy,
  onConnect,
}: {
  person: PersonHit
  isConnected: boolean
  busy: boolean
  onConnect: () => void
}) {
  const name = personName(person)
  return (
    <li>
      <span>
        {name}
        <span className="soft">{person.username}</span>
      </span>
      {isConnected ? (
        <Badge tone="success">{t('zugeordnet')}</Badge>
      ) : (
        <Button size="small" busy={busy} aria-label={t('{name} zuordnen', { name })} onClick={onConnect}>
          {t('Zuordnen')}
        </Button>
      )}
    </li>
  )
}
