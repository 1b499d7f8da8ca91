// Creates a one-time link and shows it once, because only its hash is stored.
import { useRef, useState } from 'react'
import { rpc } from '../../../data/rpc.ts'
import { unlessFaulty } from '../../../record/dialog-form.ts'
import { useDialogForm } from '../../../record/use-dialog-form.ts'
import { Button } from '../../../ui/Button.tsx'
import { DateField } from '../../../ui/DateField.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Notice } from '../../../ui/Display.tsx'
import { TextField } from '../../../ui/Field.tsx'
import { FormDialog } from '../../../ui/FormDialog.tsx'
import { formatDate } from '../../../ui/format.ts'
import { dayExpected, parseDay } from '../../../ui/parse-day.ts'
import { t } from '../../../ui/text.ts'
import { toast } from '../../../ui/toasts.ts'
import { today } from '../../../ui/today.ts'
import { useUnsavedChanges } from '../../../ui/unsaved.ts'
import { type Angebot, useBelegAct } from '../beleg.data.ts'

interface Made {
  readonly link: string
  readonly bis: string
  readonly who: string
}

export function LinkDialog({ angebot, onClose }: { angebot: Angebot; onClose: () => void }) {
  const [made, setMade] = useState<Made | null>(null)
  return made === null ? (
    <CreateLink angebot={angebot} onClose={onClose} onMade={setMade} />
  ) : (
    <Done {...made} onClose={onClose} />
  )
}

interface LinkInput {
  readonly empfaenger: string
  readonly gueltig_bis: string
}
/** `last`: the offer is valid until then. */
function checkLink({ empfaenger, gueltig_bis }: LinkInput, last: string) {
  const who = empfaenger.trim()
  const day = parseDay(gueltig_bis)
  const dayFault =
    day === null
      ? dayExpected()
      : day < today() || day > last
        ? t('Bitte einen Tag von heute bis zum {tag}: So lange gilt das Angebot.', { tag: formatDate(last) })
        : undefined
  return unlessFaulty(
    { empfaenger: who, gueltig_bis: day },
    { empfaenger: who === '' ? t('Diese Angabe fehlt.') : undefined, gueltig_bis: dayFault },
  )
}

const useMakeLink = (offer_id: number) =>
  useBelegAct(async (asked: { empfaenger: string; gueltig_bis: string | null }) => {
    const [row] = await rpc('a_add_annahme_link', { offer_id, ...asked })
    // The fragment never reaches a server, a log or a proxy.
    return row && { link: `${location.origin}/annahme#${row.code}`, bis: row.bis, who: asked.empfaenger }
  })

function CreateLink({
  angebot,
  onClose,
  onMade,
}: {
  angebot: Angebot
  onClose: () => void
  onMade: (made: Made) => void
}) {
  const last = angebot.gueltig_bis ?? today()
  const make = useMakeLink(angebot.id)
  const { frame, text, live, refused } = useDialogForm({
    initial: { empfaenger: '', gueltig_bis: formatDate(last) },
    check: (typed) => checkLink(typed, last),
    faultsFrom: 'sending',
    send: (asked) => make.mutateAsync(asked),
    onSent: (made) => {
      if (made !== undefined) onMade(made)
    },
  })
  const isSaidAtField = ['empfaenger', 'gueltig_bis'].some((name) => refused?.fields[name] !== undefined)
  return (
    <FormDialog
      {...frame}
      title={t('Link zur Annahme erstellen')}
      submitLabel={t('Link erstellen')}
      unsaved={t('Es wurde noch kein Link erstellt.')}
      fault={isSaidAtField ? null : frame.fault}
      faultTitle={t('Nicht erstellt')}
      onClose={onClose}
    >
      <p>
        {t(
          'Wer den Link hat, kann dieses Angebot ohne Anmeldung lesen und einmal beantworten. Geben Sie ihn ' +
            'nur der Person, die entscheidet.',
        )}
      </p>
      <TextField
        label={t('Wer bekommt den Link?')}
        required
        maxLength={200}
        autoComplete="off"
        hint={t('Der Name steht in der Anrede der Seite und in dieser Liste.')}
        {...text('empfaenger')}
      />
      <DateField
        label={t('Gültig bis')}
        required
        hint={t('Längstens so lange wie das Angebot.')}
        {...live('gueltig_bis')}
      />
    </FormDialog>
  )
}

function Done({ link, bis, who, onClose }: Made & { onClose: () => void }) {
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
        <Notice tone="warning" title={t('Dieser Link wird nur dieses eine Mal angezeigt')}>
          {t(
            'Gespeichert ist nur ein Prüfwert. Geht er verloren, ziehen Sie ihn zurück und erstellen einen neuen.',
          )}
        </Notice>
      </div>
    </Dialog>
  )
}
