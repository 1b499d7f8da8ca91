// Deletes a person's or customer's data: states what is deleted and what must stay, and asks for the record's
// name.
import { type FormEvent, useId, useState } from 'react'
import { foldAddress } from '#domain/mail-address.ts'
import type { PrivacyKind, PrivacyPreview } from '#contract/privacy.ts'
import { ApiError } from '../../data/api-error.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Refusal } from '../../ui/Refusal.tsx'
import { TextField } from '../../ui/Field.tsx'
import { formatDate } from '../../ui/format.ts'
import { t } from '../../ui/text.ts'
import { toast } from '../../ui/toasts.ts'
import { useDelete } from './privacy.data.ts'

interface Props {
  art: PrivacyKind
  id: string
  shown: PrivacyPreview
  onClose: () => void
  onDone: () => void
}

/** What will be gone, and what has to stay. */
function consequence(art: Props['art'], { aufbewahren_bis }: Props['shown']): string {
  if (art === 'person')
    return t(
      'Konto, Sitzungen, Zuordnungen und Einstellungen werden gelöscht, Name und Adressen überall ' +
        'entfernt. Im Änderungsverlauf bleibt, was getan wurde, ohne den Namen. Das lässt sich ' +
        'nicht rückgängig machen.',
    )
  if (aufbewahren_bis !== null)
    return t(
      'Verträge müssen bis {day} aufbewahrt werden (§ 147 AO). Bis dahin bleiben Name, Anschrift ' +
        'und Verträge, für niemanden änderbar und nur für die Verwaltung sichtbar. ' +
        'Ansprechpartner, Zuordnungen von Personen und Flächen werden sofort gelöscht.',
      {
        day: formatDate(aufbewahren_bis),
      },
    )
  return t(
    'Kunde, Forstbetriebe, Flächen, Module und Zuordnungen werden gelöscht. Die Personen ' +
      'bleiben. Das lässt sich nicht rückgängig machen.',
  )
}

export function EraseDialog({ art, id, shown, onClose, onDone }: Props) {
  const formId = useId()
  const remove = useDelete(art, id)
  const [typed, setTyped] = useState('')
  const [tried, setTried] = useState(false)
  const [fault, setFault] = useState<string | null>(null)
  const blocked = shown.aufbewahren_bis !== null
  const same =
    art === 'person' ? foldAddress(typed.trim()) === foldAddress(shown.name) : typed.trim() === shown.name
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (!same || remove.isPending) return
    setFault(null)
    try {
      const until = await remove.mutateAsync(typed.trim())
      toast.success(
        until === null
          ? t('{name}: Die Daten wurden gelöscht.', { name: shown.name })
          : t('{name} ist bis {day} gesperrt und wird danach gelöscht.', {
              name: shown.name,
              day: formatDate(until),
            }),
      )
      onDone()
    } catch (error) {
      setFault(error instanceof ApiError ? error.message : t('Das hat nicht geklappt'))
    }
  }
  return (
    <Dialog
      open
      role="alertdialog"
      title={
        blocked
          ? t('Kundendaten sperren?')
          : art === 'person'
            ? t('Daten der Person löschen?')
            : t('Kundendaten löschen?')
      }
      onClose={onClose}
      dismissible={!remove.isPending}
      footer={
        <>
          <Button onClick={onClose} disabled={remove.isPending}>
            {t('Abbrechen')}
          </Button>
          <Button type="submit" form={formId} variant="danger" busy={remove.isPending}>
            {blocked ? t('Sperren') : t('Endgültig löschen')}
          </Button>
        </>
      }
    >
      <form id={formId} className="stack" noValidate onSubmit={(event) => void submit(event)}>
        <p className="confirm-record">{shown.name}</p>
        {fault !== null && <Refusal title={t('Nicht gelöscht')}>{fault}</Refusal>}
        <p>{consequence(art, shown)}</p>
        <TextField
          label={
            art === 'person'
              ? t('Zur Bestätigung die E-Mail-Adresse eingeben')
              : t('Zur Bestätigung den Namen des Kunden eingeben')
          }
          value={typed}
          autoComplete="off"
          spellCheck={false}
          required
          data-autofocus
          error={
            tried && !same ? t('Das stimmt nicht mit „{name}“ überein.', { name: shown.name }) : undefined
          }
          onChange={(event) => setTyped(event.target.value)}
        />
      </form>
    </Dialog>
  )
}
