// Sends one document: to whom, with which words, and what goes with it, as it will be read. Or writes down that it went by post or was uploaded to a portal.
import { useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { Versand, VersandArt, VersandLage } from '#contract/zahlung.ts'
import type { Beleg } from '#domain/beleg.ts'
import { fillPlatzhalter, unknownPlatzhalter } from '#domain/platzhalter.ts'
import { adressenOf, isAdresse, MOST_ADRESSEN, nachrichtOf, platzhalterOf } from '#domain/versand.ts'
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
import { saveBlob } from '../../../record/beleg/PdfBild.tsx'
import { TextMitBausteinen } from '../TextMitBausteinen.tsx'
import './versand.css'
import { type Datei, dateienQuery, lageQuery, zuSendenQuery } from './versand.data.ts'
import { wegText } from './versand-words.ts'

type Weg = 'mail' | 'post' | 'portal'
const WEGE: readonly Weg[] = ['mail', 'post', 'portal']

export interface SendenProps {
  art: VersandArt
  id: string
  /** A delivery that is sent again: its words and its address. */
  wie?: Versand
  onClose: () => void
}

const titleOf = (art: VersandArt): string =>
  art === 'rechnung' ? t('Rechnung versenden') : art === 'angebot' ? t('Angebot versenden') : t('Mahnung versenden')

export function SendenDialog({ art, id, wie, onClose }: SendenProps) {
  const beleg = useQuery(zuSendenQuery(art, id))
  const lage = useQuery(lageQuery)
  const failed = beleg.error ?? lage.error
  if (beleg.data !== undefined && lage.data !== undefined)
    return (
      <Formular
        art={art}
        id={id}
        {...(wie && { wie })}
        beleg={beleg.data.beleg}
        vorschlag={beleg.data.an}
        lage={lage.data}
        onClose={onClose}
      />
    )
  return (
    <Dialog open title={titleOf(art)} width="wide" onClose={onClose} footer={<Button onClick={onClose}>{t('Abbrechen')}</Button>}>
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

interface Werte {
  readonly weg: Weg
  readonly an: string
  readonly betreff: string
  readonly text: string
}

function faultsOf({ weg, an, betreff, text }: Werte): Partial<Record<keyof Werte, string>> {
  if (weg !== 'mail') return {}
  const adressen = adressenOf(an)
  const wrong = adressen.find((one) => !isAdresse(one))
  const braces = (given: string) => unknownPlatzhalter(given)[0]
  const placeholder = (given: string): string | undefined => {
    const found = braces(given)
    return found === undefined
      ? undefined
      : t('{platzhalter} ist kein Platzhalter. Bitte ersetzen oder die Klammer entfernen.', { platzhalter: found })
  }
  const found = {
    an:
      adressen.length === 0
        ? t('Bitte mindestens eine E-Mail-Adresse eintragen.')
        : wrong !== undefined
          ? t('„{adresse}“ ist keine gültige E-Mail-Adresse.', { adresse: wrong })
          : adressen.length > MOST_ADRESSEN
            ? t('Höchstens {n} Adressen auf einmal.', { n: MOST_ADRESSEN })
            : undefined,
    betreff: betreff.trim() === '' ? t('Diese Angabe fehlt.') : placeholder(betreff),
    text: text.trim() === '' ? t('Diese Angabe fehlt.') : placeholder(text),
  }
  return Object.fromEntries(Object.entries(found).filter(([, fault]) => fault !== undefined))
}

function Formular({ art, id, wie, beleg, vorschlag, lage, onClose }: SendenProps & { beleg: Beleg; vorschlag: string; lage: VersandLage }) {
  const values = platzhalterOf(beleg)
  const [initial] = useState<Werte>(() => ({
    weg: lage.mail ? 'mail' : 'post',
    an: wie?.an ?? vorschlag,
    ...(wie === undefined ? nachrichtOf(beleg) : { betreff: wie.betreff, text: wie.text }),
  }))
  const [werte, setWerte] = useState(initial)
  const [tried, setTried] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const dirty = (['an', 'betreff', 'text'] as const).some((field) => werte[field] !== initial[field])
  const disarm = useUnsavedChanges(dirty)
  const filled = { betreff: fillPlatzhalter(werte.betreff, values).trim(), text: fillPlatzhalter(werte.text, values) }
  const faults = faultsOf({ ...werte, ...filled })
  const send = useBelegAct(() =>
    rpc('a_send_beleg', { art, id, weg: werte.weg, ...(werte.weg === 'mail' ? { ...filled, an: adressenOf(werte.an).join(', ') } : {}) }),
  )
  const set = (change: Partial<Werte>) => setWerte((before) => ({ ...before, ...change }))
  const field = (name: 'an' | 'betreff' | 'text') => ({
    name,
    value: werte[name],
    error: tried ? faults[name] : undefined,
    onChange: ({ target }: { target: { value: string } }) => set({ [name]: target.value }),
  })
  const count = adressenOf(werte.an).length
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
      submitLabel={!isMail ? t('Als versendet vermerken') : count > 1 ? t('An {n} Empfänger senden', { n: count }) : t('Senden')}
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
          {t('Dieser Server kann keine E-Mails senden. Laden Sie die Datei herunter, stellen Sie sie selbst zu und vermerken Sie es hier.')}
        </Notice>
      )}
      {wie?.grund === 'ungewiss' && (
        <Notice tone="warning" title={t('Vielleicht schon angekommen')}>
          {t(
            'Bei der ersten E-Mail brach die Verbindung ab. Fragen Sie am besten beim Empfänger nach: Sonst kommt sie vielleicht doppelt an.',
          )}
        </Notice>
      )}
      <SelectField
        label={t('Weg')}
        value={werte.weg}
        options={WEGE.filter((weg) => weg !== 'mail' || lage.mail).map((weg) => ({
          value: weg,
          label: weg === 'mail' ? wegText(weg) : t('{weg} (nur vermerken)', { weg: wegText(weg) }),
        }))}
        onChange={({ target }) => set({ weg: target.value as Weg })}
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
          <TextMitBausteinen
            art="mail"
            platzhalter={() => values}
            label={t('Text')}
            required
            rows={9}
            maxLength={6000}
            onInsert={(text) => set({ text: werte.text.trim() === '' ? text : `${werte.text.trimEnd()}\n\n${text}` })}
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
      <Dateien art={art} id={id} format={beleg.format} isMail={isMail} />
    </FormDialog>
  )
}

/** What goes with it, and what can be taken along by hand. */
function Dateien({ art, id, format, isMail }: { art: VersandArt; id: string; format: Beleg['format']; isMail: boolean }) {
  const query = useQuery(dateienQuery(art, id))
  const attached = (query.data ?? []).filter((datei) => datei.art === 'pdf' || format === 'xrechnung' || !isMail)
  const load = async ({ art: kind, dateiname }: Datei) => {
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
