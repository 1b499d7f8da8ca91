// Creates a one-time link and shows it once, because only its hash is stored.
import { useRef, useState } from 'react'
import { ApiError } from '../../../data/api-error.ts'
import { rpc } from '../../../data/rpc.ts'
import { messageOf } from '../../../record/record-faults.ts'
import { Button } from '../../../ui/Button.tsx'
import { DateField } from '../../../ui/DateField.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Notice } from '../../../ui/Display.tsx'
import { TextField } from '../../../ui/Field.tsx'
import { FormDialog } from '../../../ui/FormDialog.tsx'
import { formatDate } from '../../../ui/format.ts'
import { parseDay } from '../../../ui/parse-day.ts'
import { t } from '../../../ui/text.ts'
import { toast } from '../../../ui/toasts.ts'
import { today } from '../../../ui/today.ts'
import { useUnsavedChanges } from '../../../ui/unsaved.ts'
import { type Angebot, useBelegAct } from '../beleg.data.ts'

export function LinkDialog({ angebot, onClose }: { angebot: Angebot; onClose: () => void }) {
  const [made, setMade] = useState<{ link: string; bis: string; who: string } | null>(null)
  return made === null ? (
    <CreateLink angebot={angebot} onClose={onClose} onMade={setMade} />
  ) : (
    <Done {...made} onClose={onClose} />
  )
}

function CreateLink({
  angebot,
  onClose,
  onMade,
}: {
  angebot: Angebot
  onClose: () => void
  onMade: (made: { link: string; bis: string; who: string }) => void
}) {
  const last = angebot.gueltig_bis ?? today()
  const [who, setWho] = useState('')
  const [until, setUntil] = useState(formatDate(last))
  const [tried, setTried] = useState(false)
  const [refused, setRefused] = useState<ApiError | null>(null)
  const form = useRef<HTMLFormElement>(null)
  const dirty = who !== '' || until !== formatDate(last)
  const disarm = useUnsavedChanges(dirty)
  const day = parseDay(until)
  const make = useBelegAct(() =>
    rpc('a_add_annahme_link', { offer_id: angebot.id, empfaenger: who.trim(), gueltig_bis: day }),
  )
  const of = (field: string) => refused?.fields.find((fault) => fault.field === field)?.message
  const whoFault = tried && who.trim() === '' ? t('Diese Angabe fehlt.') : of('empfaenger')
  const dayFault =
    day === null
      ? t('Bitte ein Datum wie 31.12.2026.')
      : day < today() || day > last
        ? t('Bitte einen Tag von heute bis zum {tag}: So lange gilt das Angebot.', { tag: formatDate(last) })
        : of('gueltig_bis')
  const submit = () => {
    setTried(true)
    if (who.trim() === '' || dayFault !== undefined) {
      form.current
        ?.querySelector<HTMLInputElement>(who.trim() === '' ? '[name="empfaenger"]' : '[name="gueltig_bis"]')
        ?.focus()
      return
    }
    make.mutate(undefined, {
      onSuccess: ([row]) => {
        if (row === undefined) return
        disarm()
        // The fragment never reaches a server, a log or a proxy.
        onMade({ link: `${location.origin}/annahme#${row.code}`, bis: row.bis, who: who.trim() })
      },
      onError: (error) => setRefused(error instanceof ApiError ? error : null),
    })
  }
  const refusedFields =
    refused?.fields.some(({ field }) => field === 'empfaenger' || field === 'gueltig_bis') ?? false
  return (
    <FormDialog
      title={t('Link zur Annahme erstellen')}
      submitLabel={t('Link erstellen')}
      busy={make.isPending}
      dirty={dirty}
      unsaved={t('Es wurde noch kein Link erstellt.')}
      fault={make.isError && !refusedFields ? messageOf(make.error) : null}
      faultTitle={t('Nicht erstellt')}
      formRef={form}
      onSubmit={submit}
      onClose={onClose}
    >
      <p>
        {t(
          'Wer den Link hat, kann dieses Angebot ohne Anmeldung lesen und einmal beantworten. Geben Sie ihn nur der Person, die entscheidet.',
        )}
      </p>
      <TextField
        name="empfaenger"
        label={t('Wer bekommt den Link?')}
        required
        maxLength={200}
        autoComplete="off"
        hint={t('Der Name steht in der Anrede der Seite und in dieser Liste.')}
        value={who}
        error={whoFault}
        onChange={({ target }) => {
          setRefused(null)
          setWho(target.value)
        }}
      />
      <DateField
        name="gueltig_bis"
        label={t('Gültig bis')}
        required
        hint={t('Längstens so lange wie das Angebot.')}
        value={until}
        error={dayFault}
        onChange={({ target }) => {
          setRefused(null)
          setUntil(target.value)
        }}
      />
    </FormDialog>
  )
}

function Done({ link, bis, who, onClose }: { link: string; bis: string; who: string; onClose: () => void }) {
  const field = useRef<HTMLInputElement>(null)
  const [copied, setCopied] = useState(false)
  // Reloading the page now would lose the link.
  useUnsavedChanges(!copied)
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(link)
      setCopied(true)
      toast.success(t('Link kopiert.'))
    } catch {
      // Without clipboard permission, select the text so that it is one keystroke away.
      field.current?.select()
      toast.info(t('Bitte kopieren Sie den markierten Link mit Strg+C.'))
    }
  }
  return (
    <Dialog
      open
      title={t('Link für {name}', { name: who })}
      // Shown only once, so a click beside the dialog must not close it.
      dismissible={false}
      onClose={onClose}
      footer={
        <>
          <Button icon="file" onClick={() => void copy()}>
            {copied ? t('Kopiert') : t('Link kopieren')}
          </Button>
          <Button variant="primary" onClick={onClose}>
            {t('Fertig')}
          </Button>
        </>
      }
    >
      <div className="stack">
        <TextField
          ref={field}
          label={t('Link zum Angebot')}
          readOnly
          data-autofocus
          value={link}
          hint={t('Gilt bis zum {tag} und für eine Antwort.', { tag: formatDate(bis) })}
          onFocus={(event) => event.target.select()}
        />
        <Notice tone="warning" title={t('Dieser Link wird nur jetzt angezeigt')}>
          {t(
            'Gespeichert ist nur ein Prüfwert. Geht er verloren, ziehen Sie ihn zurück und erstellen einen neuen.',
          )}
        </Notice>
      </div>
    </Dialog>
  )
}
