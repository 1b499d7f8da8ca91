// Sends one document: recipient, text, attachments and a preview. Or records that it went by post or was
// uploaded to a portal.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Dispatch, DispatchKind, DispatchState } from '#contract/zahlung.ts'
import type { Beleg } from '#domain/beleg.ts'
import { addressesOf, coverMessageOf, isAddress, MOST_ADDRESSES, placeholdersOf } from '#domain/dispatch.ts'
import { fillPlaceholders } from '#domain/placeholders.ts'
import { fetchBlob } from '../../../data/blob.ts'
import { rpc } from '../../../data/rpc.ts'
import { saveBlob } from '../../../record/beleg/PdfView.tsx'
import { type Checked, unlessFaulty } from '../../../record/dialog-form.ts'
import { messageOf } from '../../../record/record-faults.ts'
import { type DialogForm, useDialogForm } from '../../../record/use-dialog-form.ts'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Notice } from '../../../ui/Display.tsx'
import { Checkbox, SelectField, TextField } from '../../../ui/Field.tsx'
import { FormDialog } from '../../../ui/FormDialog.tsx'
import { formatBytes } from '../../../ui/format.ts'
import { ErrorState, Skeleton } from '../../../ui/States.tsx'
import { t } from '../../../ui/text.ts'
import { toast } from '../../../ui/toasts.ts'
import { useBelegAct } from '../beleg.data.ts'
import { appendBlock, filledTextFault } from '../filled-text.ts'
import { TextWithModules } from '../TextWithModules.tsx'
import './dispatch.css'
import {
  dispatchStateQuery,
  filesQuery,
  proposeFromNowOn,
  type StoredFile,
  toSendQuery,
} from './dispatch.data.ts'
import { wayText } from './dispatch-words.ts'

type Channel = 'mail' | 'post' | 'portal'
const WAYS: readonly Channel[] = ['mail', 'post', 'portal']

export interface SendProps {
  art: DispatchKind
  id: string
  /** A delivery to repeat, with its text and address. */
  original?: Dispatch
  onClose: () => void
}

const titleOf = (art: DispatchKind): string =>
  art === 'rechnung'
    ? t('Rechnung versenden')
    : art === 'angebot'
      ? t('Angebot versenden')
      : t('Mahnung versenden')

export function SendDialog({ art, id, original, onClose }: SendProps) {
  const beleg = useQuery(toSendQuery(art, id))
  const situation = useQuery(dispatchStateQuery)
  const failed = beleg.error ?? situation.error
  if (beleg.data !== undefined && situation.data !== undefined)
    return (
      <FormBody
        art={art}
        id={id}
        {...(original && { original })}
        beleg={beleg.data.beleg}
        vorschlag={beleg.data.an}
        lage={situation.data}
        onClose={onClose}
      />
    )
  return (
    <Dialog
      open
      title={titleOf(art)}
      width="wide"
      onClose={onClose}
      footer={<Button onClick={onClose}>{t('Abbrechen')}</Button>}
    >
      {failed === null ? (
        <Skeleton lines={8} />
      ) : (
        <ErrorState
          error={failed}
          onRetry={() => {
            void beleg.refetch()
            void situation.refetch()
          }}
        />
      )}
    </Dialog>
  )
}

interface Mail {
  readonly an: string
  readonly betreff: string
  readonly text: string
  /** The address becomes the customer's. */
  readonly remember: boolean
}
const initialOf = ({ original, beleg, vorschlag }: BodyProps): Mail => ({
  an: original?.an ?? vorschlag,
  remember: false,
  ...(original === undefined ? coverMessageOf(beleg) : { betreff: original.betreff, text: original.text }),
})

/** The one address, if it is not the customer's. */
function newAddress(an: string, known: string): string | null {
  const [address, ...more] = addressesOf(an)
  return address !== undefined && more.length === 0 && isAddress(address) && address !== known.trim()
    ? address
    : null
}

/** The mail is on its way by then: what fails here is reported on its own. */
function useRememberAddress() {
  const client = useQueryClient()
  return async (client_id: string, rechnung_mail: string): Promise<void> => {
    try {
      await rpc('a_set_kunde_rechnung', { client_id, werte: { rechnung_mail } })
      proposeFromNowOn(client, client_id, rechnung_mail)
    } catch (error) {
      toast.error(t('Die Adresse wurde beim Kunden nicht eingetragen: {grund}', { grund: messageOf(error) }))
    }
  }
}

/** Subject and text with the values of the document. */
const filledOf = ({ betreff, text }: Pick<Mail, 'betreff' | 'text'>, beleg: Beleg) => {
  const values = placeholdersOf(beleg)
  return { betreff: fillPlaceholders(betreff, values).trim(), text: fillPlaceholders(text, values) }
}

function addressFault(an: string): string | undefined {
  const addresses = addressesOf(an)
  const wrong = addresses.find((one) => !isAddress(one))
  if (addresses.length === 0) return t('Bitte mindestens eine E-Mail-Adresse eintragen.')
  if (wrong !== undefined) return t('„{adresse}“ ist keine gültige E-Mail-Adresse.', { adresse: wrong })
  return addresses.length > MOST_ADDRESSES
    ? t('Höchstens {n} Adressen auf einmal.', { n: MOST_ADDRESSES })
    : undefined
}

type Message = { readonly weg: Channel } & Partial<Omit<Mail, 'remember'>>

/** Answers what the procedure takes beside the document. */
function checkMail(way: Channel, typed: Mail, beleg: Beleg): Checked<Message> {
  if (way !== 'mail') return { values: { weg: way } }
  const filled = filledOf(typed, beleg)
  return unlessFaulty(
    { weg: way, ...filled, an: addressesOf(typed.an).join(', ') },
    {
      an: addressFault(typed.an),
      betreff: filledTextFault(filled.betreff),
      text: filledTextFault(filled.text),
    },
  )
}

type BodyProps = SendProps & { beleg: Beleg; vorschlag: string; lage: DispatchState }

function FormBody(props: BodyProps) {
  const { art, id, original, beleg, vorschlag, lage, onClose } = props
  const send = useBelegAct((message: Message) => rpc('a_send_beleg', { art, id, ...message }))
  const saveAddress = useRememberAddress()
  const [way, setWay] = useState<Channel>(lage.mail ? 'mail' : 'post')
  const isMail = way === 'mail'
  const [initial] = useState(() => initialOf(props))
  const form = useDialogForm({
    initial,
    check: (typed) => checkMail(way, typed, beleg),
    faultsFrom: 'sending',
    send: async (message, { an, remember }) => {
      const sent = await send.mutateAsync(message)
      const address = isMail && remember ? newAddress(an, vorschlag) : null
      if (address !== null) await saveAddress(beleg.empfaenger.client_id, address)
      return sent
    },
    onSent: () => {
      toast.success(isMail ? t('Die E-Mail ist unterwegs.') : t('Der Versand ist vermerkt.'))
      onClose()
    },
  })
  return (
    <FormDialog
      {...form.frame}
      title={titleOf(art)}
      width="wide"
      submitLabel={submitLabel(way, form.values.an)}
      unsaved={t('Die E-Mail wurde noch nicht gesendet.')}
      faultTitle={t('Nicht gesendet')}
      onClose={() => {
        form.disarm()
        onClose()
      }}
    >
      {!lage.mail && (
        <Notice tone="info" title={t('Kein Mailversand eingerichtet')}>
          {t(
            'Dieser Server kann keine E-Mails senden. Laden Sie die Datei herunter, stellen Sie sie selbst zu ' +
              'und vermerken Sie es hier.',
          )}
        </Notice>
      )}
      {original?.grund === 'ungewiss' && (
        <Notice tone="warning" title={t('Vielleicht schon angekommen')}>
          {t(
            'Bei der ersten E-Mail brach die Verbindung ab. Fragen Sie am besten beim Empfänger nach: Sonst ' +
              'kommt sie vielleicht doppelt an.',
          )}
        </Notice>
      )}
      <SelectField
        label={t('Weg')}
        value={way}
        options={WAYS.filter((one) => one !== 'mail' || lage.mail).map((one) => ({
          value: one,
          label: one === 'mail' ? wayText(one) : t('{weg} (nur vermerken)', { weg: wayText(one) }),
        }))}
        onChange={({ target }) => setWay(target.value as Channel)}
      />
      {isMail && <MailFields form={form} beleg={beleg} vorschlag={vorschlag} absender={lage.absender} />}
      <Files art={art} id={id} format={beleg.format} isMail={isMail} />
    </FormDialog>
  )
}

function submitLabel(way: Channel, an: string): string {
  if (way !== 'mail') return t('Als versendet vermerken')
  const count = addressesOf(an).length
  return count > 1 ? t('An {n} Empfänger senden', { n: count }) : t('Senden')
}

function MailFields({
  form: { text, flag, values, set },
  beleg,
  vorschlag,
  absender,
}: {
  form: DialogForm<Mail>
  beleg: Beleg
  vorschlag: string
  absender: string | null
}) {
  const address = newAddress(values.an, vorschlag)
  const filled = filledOf(values, beleg)
  const { name, mail } = beleg.lieferant
  return (
    <>
      <TextField
        label={t('An')}
        required
        autoComplete="off"
        data-autofocus
        hint={t('Mehrere Adressen durch Komma trennen; jede bekommt ihre eigene E-Mail.')}
        {...text('an')}
      />
      {address !== null && (
        <Checkbox
          label={t('{adresse} beim Kunden eintragen', { adresse: address })}
          hint={t('Alles Weitere wird dann dorthin vorgeschlagen.')}
          {...flag('remember')}
        />
      )}
      <TextField label={t('Betreff')} required maxLength={200} autoComplete="off" {...text('betreff')} />
      <TextWithModules
        art="mail"
        platzhalter={() => placeholdersOf(beleg)}
        label={t('Text')}
        required
        rows={9}
        maxLength={6000}
        onInsert={(block) => set({ text: appendBlock(values.text, block) })}
        {...text('text')}
      />
      <section aria-label={t('So wird sie gelesen')} className="versand-mail">
        <dl>
          <dt>{t('Von')}</dt>
          <dd>
            {name} &lt;{absender}&gt;
          </dd>
          {mail !== '' && mail !== absender && (
            <>
              <dt>{t('Antwort an')}</dt>
              <dd>{mail}</dd>
            </>
          )}
          <dt>{t('Betreff')}</dt>
          <dd>{filled.betreff}</dd>
        </dl>
        {filled.text}
      </section>
      <p className="soft">
        {t('Am Ende der E-Mail steht Ihr Briefkopf aus den Einstellungen der Buchhaltung.')}
      </p>
    </>
  )
}

/** The attachments, and files to download and send by hand. */
function Files({
  art,
  id,
  format,
  isMail,
}: {
  art: DispatchKind
  id: string
  format: Beleg['format']
  isMail: boolean
}) {
  const query = useQuery(filesQuery(art, id))
  const attached = (query.data ?? []).filter(
    (file) => file.art === 'pdf' || format === 'xrechnung' || !isMail,
  )
  const load = async ({ art: kind, dateiname }: StoredFile) => {
    try {
      saveBlob(await fetchBlob(`beleg/${art}/${id}.${kind}`), dateiname)
    } catch (error) {
      toast.error(messageOf(error))
    }
  }
  return (
    <section aria-label={isMail ? t('Anhänge') : t('Dateien')} className="stack">
      <h3>{isMail ? t('Anhänge') : t('Dateien')}</h3>
      {query.isPending ? (
        <Skeleton lines={1} />
      ) : query.isError ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      ) : attached.length === 0 ? (
        <p className="soft">{t('Die Datei wird gerade erzeugt und dann angehängt.')}</p>
      ) : (
        <ul className="versand-list">
          {attached
            .toSorted((a, b) => a.art.localeCompare(b.art))
            .map((file) => (
              <li key={file.id}>
                <span className="versand-head">
                  <strong>{file.dateiname}</strong>
                  <span className="soft">{formatBytes(file.groesse)}</span>
                </span>
                <Button
                  size="small"
                  variant="quiet"
                  icon="download"
                  aria-label={t('{name} herunterladen', { name: file.dateiname })}
                  onClick={() => void load(file)}
                >
                  {t('Herunterladen')}
                </Button>
              </li>
            ))}
        </ul>
      )}
    </section>
  )
}
