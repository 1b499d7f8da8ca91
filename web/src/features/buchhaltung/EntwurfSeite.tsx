// The draft of an invoice or an offer: head, lines, texts, terms, sums and check, saving and issuing. What belongs to one of the two alone comes from their pages.
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useCallback, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import { Controller, type Path, type UseFormRegisterReturn, type UseFormReturn, useWatch } from 'react-hook-form'
import type { Beleg } from '#domain/beleg.ts'
import type { BelegFault } from '#domain/beleg-fault.ts'
import { isIssuable } from '#domain/beleg-pruefung.ts'
import type { FreitextArt } from '#domain/freitext.ts'
import type { Platzhalter } from '#domain/platzhalter.ts'
import { ApiError } from '../../data/api-error.ts'
import { RecordConflict, RecordForm } from '../../record/RecordForm.tsx'
import { messageOf } from '../../record/record-faults.ts'
import type { RecordRow } from '../../record/record-kind.ts'
import type { RecordEditor } from '../../record/use-record-form.ts'
import { Button, ButtonLink } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/Dialog.tsx'
import { Card, Notice } from '../../ui/Display.tsx'
import { FieldGrid, type FieldProps } from '../../ui/Field.tsx'
import { formatDate } from '../../ui/format.ts'
import { Page } from '../../ui/Page.tsx'
import { Skeleton } from '../../ui/States.tsx'
import { t } from '../../ui/text.ts'
import { toast } from '../../ui/toasts.ts'
import { useView } from '../../ui/view.tsx'
import { BelegPruefung } from './BelegPruefung.tsx'
import { BelegSummen } from './BelegSummen.tsx'
import './beleg.css'
import { type BelegSorte, forgetBelege, nummernQuery, vorschauQuery } from './beleg.data.ts'
import { type FeldTexte, feldFault, feldWert, type FeldDef } from './entwurf-felder.ts'
import type { FeldWerte } from './entwurf-words.ts'
import { type EditorHandle, type Kopf, PositionEditor } from './position/PositionEditor.tsx'
import { TextMitBausteinen } from './TextMitBausteinen.tsx'
import { type LiveStore, liveStore, usePruefung } from './use-pruefung.ts'

const NONE: readonly BelegFault[] = []

interface EntwurfRow<F extends string> {
  readonly id: number
  readonly client_id: number
  readonly kunde: string
  readonly version: number
  readonly fields?: F
}
export interface EntwurfSeiteProps<F extends string, Row extends RecordRow<F> & EntwurfRow<F>> {
  sorte: BelegSorte
  title: string
  row: Row
  editor: RecordEditor<F, Row, FeldTexte<F>>
  defs: Readonly<Record<F, FeldDef>>
  /** Name of the field with the document's day. */
  datum: F
  kopf: (felder: Felder<F>) => ReactNode
  konditionen: (felder: Felder<F>) => ReactNode
  /** What is typed, as the document has it. */
  werteOf: (wert: (field: F) => string | number | null) => FeldWerte
  issueTitle: string
  /** `mehr`: more is billed than was offered, and the person knows. */
  issue: (version: number, mehr: boolean) => Promise<{ nummer: string; datum: string }>
  /** Where the issued one is shown. */
  detailHref: string
  more?: ReactNode
}
export interface Felder<F extends string> {
  readonly form: UseFormReturn<FeldTexte<F>>
  /** What every input takes. */
  readonly bind: (field: F) => Pick<FieldProps, 'label' | 'error'> & UseFormRegisterReturn
  readonly set: (field: F, text: string) => void
}

/** Of the document's fields those that bear another name in the form. */
const OTHER_NAMES: Readonly<Record<BelegSorte, Readonly<Record<string, string>>>> = {
  rechnung: {
    datum: 'rn_datum',
    faellig: 'zahlungsziel',
    'summen.anzahlung': 'anzahlung',
    anzahlung: 'anzahlung',
    'empfaenger.bestellnummer': 'bestellnummer',
  },
  angebot: { datum: 'an_datum' },
}

export function EntwurfSeite<F extends string, Row extends RecordRow<F> & EntwurfRow<F>>(props: EntwurfSeiteProps<F, Row>) {
  const { sorte, title, row, editor, defs, datum, kopf, konditionen, werteOf, more, detailHref, issueTitle, issue } = props
  const form = editor.form as unknown as UseFormReturn<Record<string, string>>
  const view = useView()
  const client = useQueryClient()
  const lines = useRef<EditorHandle>(null)
  const base = useQuery({ ...vorschauQuery(sorte, String(row.id), row.version), placeholderData: (before: Beleg | undefined) => before })
  const typed = useWatch({ control: form.control }) as Record<string, string>
  const [store] = useState(liveStore)
  const [asking, setAsking] = useState(false)
  const [issuing, setIssuing] = useState(false)
  const [mehr, setMehr] = useState(false)
  const numbers = useQuery({ ...nummernQuery, enabled: asking })

  const wert = useCallback(
    (field: F): string | number | null => {
      const text = typed[field] ?? ''
      // What is wrong says so at its field; the rest is reckoned with what was saved.
      return feldFault(defs[field].art, text) === null ? feldWert(defs[field].art, text) : (row[field] as string | number | null)
    },
    [typed, defs, row],
  )
  const werte = useMemo(() => werteOf(wert), [werteOf, wert])
  const kleinunternehmer = base.data?.lieferant.kleinunternehmer ?? false
  const { rabatt_prozent = '0', ust_satz = '0' } = werte.beleg
  const { anzahlung } = werte
  const rechenKopf = useMemo<Kopf>(
    () => ({ rabatt_prozent, ust_satz, anzahlung, kleinunternehmer }),
    [rabatt_prozent, ust_satz, anzahlung, kleinunternehmer],
  )
  const found = usePruefung(base.data, werte, store)
  const faults = found ?? NONE
  const said = useMemo(() => {
    const byLine = new Map<number, string[]>()
    for (const { feld, text, schwere } of faults) {
      const [area, at, field] = feld.split('.')
      if (area === 'positionen' && at !== undefined && field !== undefined && schwere === 'fehler')
        byLine.set(Number(at), [...(byLine.get(Number(at)) ?? []), `${field}\t${text}`])
    }
    return new Map([...byLine].map(([at, words]) => [at, words.join('\n')]))
  }, [faults])

  const felder: Felder<F> = {
    form: editor.form,
    bind: (field) => ({
      label: defs[field].label(),
      error: form.formState.errors[field as string]?.message,
      ...form.register(field as string),
    }),
    set: (field, text) => form.setValue(field as string, text, { shouldDirty: true, shouldValidate: true, shouldTouch: true }),
  }
  const fieldOf = (feld: string): string => OTHER_NAMES[sorte][feld] ?? feld
  const jump = (feld: string) => {
    const [area, at, field = 'bez'] = feld.split('.')
    if (area === 'positionen' || area === 'summen') return lines.current?.focus(Number(at ?? 0) || 0, field)
    form.setFocus(fieldOf(feld) as Path<Record<string, string>>)
  }
  const hrefOf = (feld: string): string | null => {
    if (fieldOf(feld) in defs) return null
    if (feld.startsWith('empfaenger')) return `/member-management/client/${row.client_id}`
    return feld.startsWith('lieferant') ? '/buchhaltung/einstellungen' : null
  }
  const platzhalter = (): Partial<Record<Platzhalter, string>> => ({
    name: row.kunde,
    datum: formatDate(String(wert(datum) ?? '')),
    ...(base.data?.faellig && { faellig: formatDate(base.data.faellig) }),
  })
  const text = (field: F, art: FreitextArt, rows: number) => (
    <TextMitBausteinen
      {...felder.bind(field)}
      art={art}
      rows={rows}
      platzhalter={platzhalter}
      onInsert={(block) => {
        const before = form.getValues(field as string)
        felder.set(field, before.trim() === '' ? block : `${before.trimEnd()}\n\n${block}`)
        form.setFocus(field as string)
      }}
    />
  )
  const issuable = found !== null && isIssuable(found)
  const { isDirty } = editor.form.formState
  const confirmIssue = async () => {
    setIssuing(true)
    try {
      const { nummer } = await issue(row.version, mehr)
      toast.success(t('{nummer} wurde ausgestellt.', { nummer }))
      await forgetBelege(client)
      view.go(detailHref, { replace: true })
      setAsking(false)
    } catch (error) {
      if (error instanceof ApiError && error.rule === 'mehr_als_angeboten') return setMehr(true)
      toast.error(messageOf(error))
      setAsking(false)
      void forgetBelege(client)
    } finally {
      setIssuing(false)
    }
  }
  const next = numbers.data?.find(({ art }) => art === sorte)?.naechste_nummer
  return (
    <Page
      title={title}
      record={`${row.kunde}: ${t('Entwurf')}`}
      subtitle={
        <>
          {row.kunde} · {t('Entwurf, noch ohne Nummer')}
        </>
      }
      actions={
        <>
          {more}
          <ButtonLink href={detailHref}>{t('Ansehen')}</ButtonLink>
          <Button variant="primary" disabled={isDirty || !issuable || base.isPending} onClick={() => setAsking(true)}>
            {t('Ausstellen')}
          </Button>
        </>
      }
    >
      <RecordForm editor={editor} label={title}>
        <div className="stack">
          <Card title={t('Kopf')}>
            <FieldGrid>{kopf(felder)}</FieldGrid>
          </Card>
          <Card title={t('Positionen')}>
            <Controller
              control={form.control}
              name="positionen"
              render={({ field, fieldState }) => (
                <div className="stack">
                  <PositionEditor
                    ref={lines}
                    value={field.value ?? ''}
                    onChange={field.onChange}
                    kopf={rechenKopf}
                    said={said}
                    onLive={store.set}
                  />
                  {fieldState.error && <p className="field-error">{fieldState.error.message}</p>}
                </div>
              )}
            />
          </Card>
          <div className="beleg-two">
            <Card title={t('Summen')}>
              <LiveSummen store={store} rabatt_prozent={rabatt_prozent} />
            </Card>
            <Card title={t('Prüfung vor dem Ausstellen')}>
              {base.isError ? (
                <Notice tone="danger">{messageOf(base.error)}</Notice>
              ) : found === null ? (
                <Skeleton lines={2} />
              ) : (
                <BelegPruefung faults={faults} hrefOf={hrefOf} onJump={jump} />
              )}
              {isDirty && <p className="soft">{t('Zum Ausstellen bitte zuerst speichern.')}</p>}
            </Card>
          </div>
          <div className="beleg-two">
            <Card title={t('Texte')}>
              <div className="stack">
                {text('anrede' as F, 'anrede', 2)}
                {text('anschreiben' as F, 'anschreiben', 5)}
                {text('zuerl' as F, 'zuerl', 5)}
              </div>
            </Card>
            <Card title={t('Konditionen')}>
              <FieldGrid>{konditionen(felder)}</FieldGrid>
            </Card>
          </div>
        </div>
      </RecordForm>
      <RecordConflict editor={editor} />
      <ConfirmDialog
        open={asking}
        title={issueTitle}
        record={row.kunde}
        confirmLabel={mehr ? t('Trotzdem ausstellen') : t('Endgültig ausstellen')}
        busy={issuing}
        onConfirm={() => void confirmIssue()}
        onCancel={() => setAsking(false)}
      >
        <p>
          {t('Nummer {nummer}, Datum {datum}.', {
            nummer: next ?? t('die nächste freie'),
            datum: formatDate(String(row[datum])),
          })}
        </p>
        {mehr && <Notice tone="warning">{t('Es wird mehr abgerechnet, als angeboten war.')}</Notice>}
        <p>{t('Das ist endgültig: Danach lässt sich nichts mehr ändern oder löschen.')}</p>
      </ConfirmDialog>
    </Page>
  )
}

/** Follows every key, alone. */
function LiveSummen({ store, rabatt_prozent }: { store: LiveStore; rabatt_prozent: string }) {
  const live = useSyncExternalStore(store.subscribe, store.get)
  return live === null ? <Skeleton lines={3} /> : <BelegSummen summen={live.summen} rabatt_prozent={rabatt_prozent} live />
}
