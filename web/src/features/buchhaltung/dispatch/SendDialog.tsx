// Sends one document: recipient, text, attachments and a preview. Or records that it went by post or was
// uploaded to a portal.
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { Dispatch, DispatchKind, DispatchState } from '#contract/zahlung.ts'
import type { Beleg } from '#domain/beleg.ts'
import { fillPlaceholders, unknownPlaceholders } from '#domain/placeholders.ts'
import { addressesOf, isAddress, MOST_ADDRESSES, coverMessageOf, placeholdersOf } from '#domain/dispatch.ts'
import { fetchBlob } from '../../../data/blob.ts'
import { rpc } from '../../../data/rpc.ts'
import { messageOf } from '../../../record/record-faults.ts'
import { Button } from '../../../ui/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Notice } from '../../../ui/Display.tsx'
import { SelectField, TextField } from '../../../ui/Field.tsx'
import { FormDialog } from '../../../ui/FormDialog.tsx'
import { formatBytes } from '../../../ui/format.ts'
import { ErrorState, Skeleton } from '../../../ui/States.tsx'
import { t } from '../../../ui/text.ts'
import { toast } from '../../../ui/toasts.ts'
import { useUnsavedChanges } from '../../../ui/unsaved.ts'
import { useBelegAct } from '../beleg.data.ts'
import { saveBlob } from '../../../record/beleg/PdfView.tsx'
import { TextWithModules } from '../TextWithModules.tsx'
import './dispatch.css'
import { type StoredFile, filesQuery, dispatchStateQuery, toSendQuery } from './dispatch.data.ts'
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
  const lage = useQuery(dispatchStateQuery)
  const failed = beleg.error ?? lage.error
  if (beleg.data !== undefined && lage.data !== undefined)
    return (
      <FormBody
        art={art}
        id={id}
        {...(original && { original })}
        beleg={beleg.data.beleg}
        vorschlag={beleg.data.an}
        lage={lage.data}
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
            void lage.refetch()
          }}
        />
      )}
    </Dialog>
  )
}

interface Values {
  readonly weg: Channel
  readonly an: string
  readonly betreff: string
  readonly text: string
}

function faultsOf({ weg, an, betreff, text }: Values): Partial<Record<keyof Values, string>> {
  if (weg !== 'mail') return {}
  const addresses = addressesOf(an)
  const wrong = addresses.find((one) => !isAddress(one))
  const braces = (given: string) => unknownPlaceholders(given)[0]
  const placeholder = (given: string): string | undefined => {
    const found = braces(given)
    return found === undefined
      ? undefined
      : t('{platzhalter} ist kein Platzhalter. Bitte ersetzen oder die Klammer entfernen.', {
          platzhalter: found,
        })
  }
  const found = {
    an:
      addresses.length === 0
        ? t('Bitte mindestens eine E-Mail-Adresse eintragen.')
        : wrong !== undefined
          ? t('„{adresse}“ ist keine gültige E-Mail-Adresse.', { adresse: wrong })
          : addresses.length > MOST_ADDRESSES
            ? t('Höchstens {n} Adressen auf einmal.', { n: MOST_ADDRESSES })
            : undefined,
    betreff: betreff.trim() === '' ? t('Diese Angabe fehlt.') : placeholder(betreff),
    text: text.trim() === '' ? t('Diese Angabe fehlt.') : placeholder(text),
  }
  return Object.fromEntries(Object.entries(found).filter(([, fault]) => fault !== undefined))
}

function FormBody({
  art,
  id,
  original,
  beleg,
  vorschlag,
  lage,
  onClose,
}: SendProps & { beleg: Beleg; vorschlag: string; lage: DispatchState }) {
  const values = placeholdersOf(beleg)
  const [initial] = useState<Values>(() => ({
    weg: lage.mail ? 'mail' : 'post',
    an: original?.an ?? vorschlag,
    ...(original === undefined ? coverMessageOf(beleg) : { betreff: original.betreff, text: original.text }),
  }))
  const [werte, setValues] = useState(initial)
  const [tried, setTried] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const dirty = (['an', 'betreff', 'text'] as const).some((field) => werte[field] !== initial[field])
  const disarm = useUnsavedChanges(dirty)
  const filled = {
    betreff: fillPlaceholders(werte.betreff, values).trim(),
    text: fillPlaceholders(werte.text, values),
  }
  const faults = faultsOf({ ...werte, ...filled })
  const send = useBelegAct(() =>
    rpc('a_send_beleg', {
      art,
      id,
      weg: werte.weg,
      ...(werte.weg === 'mail' ? { ...filled, an: addressesOf(werte.an).join(', ') } : {}),
    }),
  )
  const set = (change: Partial<Values>) => setValues((before) => ({ ...before, ...change }))
  const field = (name: 'an' | 'betreff' | 'text') => ({
    name,
    value: werte[name],
    error: tried ? faults[name] : undefined,
    onChange: ({ target }: { target: { value: string } }) => set({ [name]: target.value }),
  })
  const count = addressesOf(werte.an).length
  const isMail = werte.weg === 'mail'
  const submit = () => {
    setTried(true)
    const [first] = Object.keys(faults)
    if (first !== undefined) return form.current?.querySelector<HTMLElement>(`[name="${first}"]`)?.focus()
    return send.mutate(undefined, {
      onSuccess: () => {
        disarm()
        toast.success(isMail ? t('Die E-Mail ist unterwegs.') : t('Der Versand ist vermerkt.'))
        onClose()
      },
    })
  }
  return (
    <FormDialog
      title={titleOf(art)}
      width="wide"
      formRef={form}
      submitLabel={
        !isMail
          ? t('Als versendet vermerken')
          : count > 1
            ? t('An {n} Empfänger senden', { n: count })
            : t('Senden')
      }
      busy={send.isPending}
      dirty={dirty}
      unsaved={t('Die E-Mail wurde noch nicht gesendet.')}
      fault={send.error === null ? null : messageOf(send.error)}
      faultTitle={t('Nicht gesendet')}
      onSubmit={submit}
      onClose={() => {
        disarm()
        onClose()
      }}
    >
      {!lage.mail && (
        <Notice tone="info" title={t('Kein Mailversand eingerichtet')}>
          {t(
            'Dieser Server kann keine E-Mails senden. Laden Sie die Datei herunter, stellen Sie sie selbst zu und vermerken Sie es hier.',
          )}
        </Notice>
      )}
      {original?.grund === 'ungewiss' && (
        <Notice tone="warning" title={t('Vielleicht schon angekommen')}>
          {t(
            'Bei der ersten E-Mail brach die Verbindung ab. Fragen Sie am besten beim Empfänger nach: Sonst kommt sie vielleicht doppelt an.',
          )}
        </Notice>
      )}
      <SelectField
        label={t('Weg')}
        value={werte.weg}
        options={WAYS.filter((weg) => weg !== 'mail' || lage.mail).map((weg) => ({
          value: weg,
          label: weg === 'mail' ? wayText(weg) : t('{weg} (nur vermerken)', { weg: wayText(weg) }),
        }))}
        onChange={({ target }) => set({ weg: target.value as Channel })}
      />
      {isMail && (
        <>
          <TextField
            label={t('An')}
            required
            autoComplete="off"
            data-autofocus
            hint={t('Mehrere Adressen durch Komma trennen; jede bekommt ihre eigene E-Mail.')}
            {...field('an')}
          />
          <TextField label={t('Betreff')} required maxLength={200} autoComplete="off" {...field('betreff')} />
          <TextWithModules
            art="mail"
            platzhalter={() => values}
            label={t('Text')}
            required
            rows={9}
            maxLength={6000}
            onInsert={(text) =>
              set({ text: werte.text.trim() === '' ? text : `${werte.text.trimEnd()}\n\n${text}` })
            }
            {...field('text')}
          />
          <section aria-label={t('So wird sie gelesen')} className="versand-mail">
            <dl>
              <dt>{t('Von')}</dt>
              <dd>
                {beleg.lieferant.name} &lt;{lage.absender}&gt;
              </dd>
              {beleg.lieferant.mail !== '' && beleg.lieferant.mail !== lage.absender && (
                <>
                  <dt>{t('Antwort an')}</dt>
                  <dd>{beleg.lieferant.mail}</dd>
                </>
              )}
              <dt>{t('Betreff')}</dt>
              <dd>{filled.betreff}</dd>
            </dl>
            {filled.text}
          </section>
        </>
      )}
      <Files art={art} id={id} format={beleg.format} isMail={isMail} />
    </FormDialog>
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
    (datei) => datei.art === 'pdf' || format === 'xrechnung' || !isMail,
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
            .map((datei) => (
              <li key={datei.id}>
                <span className="versand-head">
                  <strong>{datei.dateiname}</strong>
                  <span className="soft">{formatBytes(datei.groesse)}</span>
                </span>
                <Button
                  size="small"
                  variant="quiet"
                  icon="download"
                  aria-label={t('{name} herunterladen', { name: datei.dateiname })}
                  onClick={() => void load(datei)}
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
