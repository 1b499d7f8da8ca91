// Signing out of a field device: downloaded data is deleted, and the user decides about data that exists only
// here.
import { useEffect, useEffectEvent, useId, useState } from 'react'
import {
  fetchOpenWork,
  fieldworkDb,
  forgetPerson,
  hasOpenWork,
  type OpenPart,
  readDevice,
  writeDevice,
} from '../../features/fieldwork/fieldwork-session.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Notice } from '../../ui/Display.tsx'
import { saveFile } from '../../ui/export/save-file.ts'
import { TextField } from '../../ui/Field.tsx'
import { t } from '../../ui/text.ts'
import { useApplication } from '../app-context.ts'
import { FIELDWORK } from '../mobile.ts'
import { useRouter } from '../routing/RouterProvider.tsx'
import { askToSignOut, signOutNow } from '../sign-out.ts'
import './sign-out.css'

type Choice = 'transfer' | 'keep' | 'discard'

/** Deletes what this device holds of the person, or keeps what was not sent, and ends the session. */
function useLeave() {
  const { identity } = useApplication()
  const owner = () => identity.sub ?? readDevice()?.sub ?? null
  /** What is lost on this device is a file first. */
  const save = async () => {
    const sub = owner()
    if (sub === null) return
    const { rescueFile } = await import('../../features/fieldwork/rescue.ts')
    const { name, datei } = await rescueFile(await fieldworkDb(), sub, new Date())
    saveFile(datei, name)
  }
  const leave = async (keep: boolean) => {
    const sub = owner()
    if (sub !== null) await forgetPerson(await fieldworkDb(), sub, { keepUnsent: keep })
    const device = readDevice()
    if (device !== null) writeDevice({ ...device, sub: null })
    await signOutNow(identity)
  }
  return { owner, save, leave, endNow: () => signOutNow(identity) }
}

export function SignOut() {
  const { owner, save, leave, endNow } = useLeave()
  const [open, setOpen] = useState<OpenPart | null>(null)
  const answer = useEffectEvent((found: OpenPart | null) => {
    if (found !== null && hasOpenWork(found)) setOpen(found)
    else void leave(false).catch(endNow)
  })
  const owned = useEffectEvent(owner)
  useEffect(() => {
    // If the storage cannot be opened, nobody else can read it either, so the session may end.
    void waitingOf(owned()).then(answer, (error: unknown) => {
      console.error('the storage of the field mode cannot be read', error)
      answer(null)
    })
  }, [])
  return open && <OpenWorkDialog open={open} save={save} leave={leave} />
}

interface DialogProps {
  open: OpenPart
  save: () => Promise<void>
  leave: (keep: boolean) => Promise<void>
}
function OpenWorkDialog({ open, save, leave }: DialogProps) {
  const router = useRouter()
  const [choice, setChoice] = useState<Choice>('transfer')
  const [typed, setTyped] = useState('')
  const [tried, setTried] = useState(false)
  const [busy, setBusy] = useState(false)
  const [fault, setFault] = useState<string | null>(null)
  const [withoutFile, setWithoutFile] = useState(false)
  const word = t('Verwerfen')
  const confirmed = typed.trim().toLowerCase() === word.toLowerCase()
  const goOn = async () => {
    if (choice === 'transfer') {
      askToSignOut(false)
      router.navigate(`${FIELDWORK}/uebertragen`)
      return
    }
    setTried(true)
    if (choice === 'discard' && !confirmed) return
    setBusy(true)
    if (choice === 'discard' && !withoutFile)
      try {
        await save()
      } catch (error) {
        console.error('no file of what is discarded', error)
        setWithoutFile(true)
        setFault(
          t(
            'Die Datei ließ sich nicht sichern, gelöscht ist noch nichts. Noch einmal drücken verwirft ohne Datei.',
          ),
        )
        return setBusy(false)
      }
    try {
      await leave(choice === 'keep')
    } catch (error) {
      setFault(error instanceof Error ? error.message : t('Das hat nicht geklappt'))
      setBusy(false)
    }
  }
  return (
    <Dialog
      open
      role="alertdialog"
      title={t('Noch nicht übertragen')}
      dismissible={!busy}
      onClose={() => askToSignOut(false)}
      footer={<Footer choice={choice} busy={busy} onGo={() => void goOn()} />}
    >
      <div className="stack">
        <p>{t('Auf diesem Gerät liegt, was noch nicht beim Server ist: {what}.', { what: whatOf(open) })}</p>
        {fault !== null && <Notice tone="danger">{fault}</Notice>}
        <Choices choice={choice} onChoose={setChoice} />
        {choice === 'discard' && (
          <TextField
            label={t('Zur Bestätigung „{word}“ eingeben', { word })}
            value={typed}
            autoComplete="off"
            error={tried && !confirmed ? t('Bitte geben Sie „{word}“ ein.', { word }) : undefined}
            onChange={(event) => setTyped(event.target.value)}
          />
        )}
      </div>
    </Dialog>
  )
}

const Footer = ({ choice, busy, onGo }: { choice: Choice; busy: boolean; onGo: () => void }) => (
  <>
    <Button onClick={() => askToSignOut(false)} disabled={busy}>
      {t('Abbrechen')}
    </Button>
    <Button variant={choice === 'discard' ? 'danger' : 'primary'} busy={busy} onClick={onGo}>
      {choice === 'transfer'
        ? t('Zur Übertragung')
        : choice === 'keep'
          ? t('Behalten und abmelden')
          : t('Verwerfen und abmelden')}
    </Button>
  </>
)

function Choices({ choice, onChoose }: { choice: Choice; onChoose: (choice: Choice) => void }) {
  const name = useId()
  const line = (value: Choice, title: string, text: string) => (
    <label className="sign-out-choice">
      <input type="radio" name={name} checked={choice === value} onChange={() => onChoose(value)} />
      <strong>{title}</strong>
      <span className="soft">{text}</span>
    </label>
  )
  return (
    <fieldset className="sign-out-choices">
      <legend className="visually-hidden">{t('Was soll damit geschehen?')}</legend>
      {line('transfer', t('Jetzt übertragen'), t('Sie bleiben angemeldet und melden sich danach ab.'))}
      {line(
        'keep',
        t('Auf diesem Gerät behalten'),
        t(
          'Es wartet hier auf Ihre nächste Anmeldung. Andere Konten sehen es nicht; wer dieses Gerät und ' +
            'seinen Sperrcode hat, könnte es aus dem Browser auslesen. Wer die Daten des Browsers löscht, ' +
            'löscht es mit.',
        ),
      )}
      {line(
        'discard',
        t('Verwerfen'),
        t(
          'Es wird als Datei gesichert, dann auf diesem Gerät gelöscht. Die Datei kann die Verwaltung einlesen.',
        ),
      )}
    </fieldset>
  )
}

const waitingOf = async (sub: string | null): Promise<OpenPart | null> =>
  sub === null ? null : fetchOpenWork(await fieldworkDb(), sub)

function whatOf({ erfassungen, bilder, entwuerfe }: OpenPart): string {
  const parts = [
    erfassungen === 1 ? t('1 Erfassung') : t('{n} Erfassungen', { n: erfassungen }),
    bilder === 1 ? t('1 Foto') : t('{n} Fotos', { n: bilder }),
    entwuerfe === 1 ? t('1 begonnene Eingabe') : t('{n} begonnene Eingaben', { n: entwuerfe }),
  ]
  return parts.filter((_, at) => [erfassungen, bilder, entwuerfe][at]! > 0).join(', ')
}
