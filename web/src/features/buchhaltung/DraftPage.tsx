// The draft of an invoice or an offer: head, lines, texts, terms, sums and check, saving and issuing. What is
// specific to one of the two comes from their own files.
import { type UseQueryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useCallback, useMemo, useRef, useState, useSyncExternalStore } from 'react'
import {
  Controller,
  type Path,
  type UseFormRegisterReturn,
  type UseFormReturn,
  useWatch,
} from 'react-hook-form'
import type { Beleg } from '#domain/beleg.ts'
import type { BelegFault } from '#domain/beleg-fault.ts'
import { isIssuable } from '#domain/beleg-check.ts'
import type { TextModuleKind } from '#domain/text-module.ts'
import { formatEuro } from '#domain/geld.ts'
import type { Placeholder } from '#domain/placeholders.ts'
import { ApiError } from '../../data/api-error.ts'
import { RecordConflict, RecordForm } from '../../record/RecordForm.tsx'
import { messageOf } from '../../record/record-faults.ts'
import type { RecordKind, RecordRow } from '../../record/record-kind.ts'
import { useRecordForm } from '../../record/use-record-form.ts'
import { Button, ButtonLink } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/Dialog.tsx'
import { Card, Notice } from '../../ui/Display.tsx'
import { DateField } from '../../ui/DateField.tsx'
import { FieldGrid, type FieldProps } from '../../ui/Field.tsx'
import { formatDate } from '../../ui/format.ts'
import { Page } from '../../ui/Page.tsx'
import { EmptyState, Skeleton } from '../../ui/States.tsx'
import { t } from '../../ui/text.ts'
import { toast } from '../../ui/toasts.ts'
import { useView } from '../../ui/view.tsx'
import { BelegCheck } from './BelegCheck.tsx'
import { BelegSums } from '../../record/beleg/BelegSums.tsx'
import './beleg.css'
import { type DraftKey, dayWindowQuery, forgetBelege, numbersQuery, previewQuery } from './beleg.data.ts'
import { belegOf } from './beleg-preview.ts'
import { BelegLoading } from './BelegLoading.tsx'
import { type FieldTexts, fieldFault, fieldValue, type FieldDef } from './draft-fields.ts'
import { useSaveDraft, type Values } from './draft-save.ts'
import type { DraftValues } from './draft-words.ts'
import { DeleteDraft } from './DeleteDraft.tsx'
import { DraftPreview } from './DraftPreview.tsx'
import { ChangeKunde } from './ChangeKunde.tsx'
import { type EditorHandle, PositionEditor } from './position/PositionEditor.tsx'
import type { Head } from './position/use-live.ts'
import type { DocKind } from './beleg-kinds.ts'
import { TextWithModules } from './TextWithModules.tsx'
import { type LiveStore, liveStore, useBelegCheck } from './use-beleg-check.ts'

const NONE: readonly BelegFault[] = []
/** Prefix that is cut from a fault shown in its own line, where naming the line is redundant. */
const LINE_NAME = /^\S+ [\d.]+: /

interface DraftRow {
  readonly id: number
  readonly client_id: number
  readonly kunde: string
  readonly version: number
}
/** What differs between the draft of an invoice and that of an offer. */
export interface DraftSpec<F extends string, Row extends RecordRow<F> & DraftRow> {
  readonly docKind: DocKind
  readonly kind: RecordKind<F, Row, FieldTexts<F>>
  readonly defs: Readonly<Record<F, FieldDef>>
  readonly query: (id: string) => UseQueryOptions<Row, Error, Row, DraftKey>
  /** Changed fields in the form the procedure takes. */
  readonly toPayload: (changes: Partial<Row>) => Values
  readonly isDraft: (row: Row) => boolean
  /** Name of an issued document. */
  readonly name: (row: Row) => string
  /** Name of the field with the document date. */
  readonly datum: F
  /** Fields beside the date. */
  readonly kopf: (felder: DraftFields<F>) => ReactNode
  readonly terms: (felder: DraftFields<F>) => ReactNode
  /** The typed values in the form the document has them. */
  readonly fieldValuesOf: (wert: (field: F) => string | number | null) => DraftValues
  /** Document fields that have another name in the form. */
  readonly otherNames: Readonly<Record<string, F>>
}
export interface DraftFields<F extends string> {
  readonly form: UseFormReturn<FieldTexts<F>>
  /** Props shared by every input. */
  readonly bind: (field: F) => Pick<FieldProps, 'label' | 'error'> & UseFormRegisterReturn
  readonly set: (field: F, text: string) => void
}

/** `/update/{update_id}`: the draft, or a link to the document if it is already issued. */
export function DraftPage<F extends string, Row extends RecordRow<F> & DraftRow>({
  art,
}: {
  art: DraftSpec<F, Row>
}) {
  const { params } = useView()
  const id = params['update_id'] ?? ''
  const { docKind } = art
  const query = useQuery(art.query(id))
  return (
    <BelegLoading query={query} docKind={docKind} id={id}>
      {(row) => {
        if (art.isDraft(row)) return <Draft key={id} art={art} row={row} />
        const { issued, issuedHint, toRecord } = docKind.words()
        return (
          <Page title={art.name(row)}>
            <Card>
              <EmptyState
                icon="lock"
                title={issued}
                action={
                  <ButtonLink variant="primary" href={docKind.record(id)}>
                    {toRecord}
                  </ButtonLink>
                }
              >
                {issuedHint}
              </EmptyState>
            </Card>
          </Page>
        )
      }}
    </BelegLoading>
  )
}

function Draft<F extends string, Row extends RecordRow<F> & DraftRow>({
  art,
  row,
}: {
  art: DraftSpec<F, Row>
  row: Row
}) {
  const { docKind, defs, datum, fieldValuesOf } = art
  const id = String(row.id)
  const words = docKind.words()
  const title = words.write
  const editor = useRecordForm(art.kind, row, useSaveDraft(art.query(id), art.toPayload))
  const form = editor.form as unknown as UseFormReturn<Record<string, string>>
  const view = useView()
  const client = useQueryClient()
  const lines = useRef<EditorHandle>(null)
  const base = useQuery({
    ...previewQuery(docKind.docKind, id, row.version),
    placeholderData: (before: Beleg | undefined) => before,
  })
  // Without the lines: they change with every key, and the rest of the page must not re-render for that.
  const heads = useMemo(() => art.kind.fields.filter((field) => field !== 'positionen'), [art])
  const texts = useWatch({ control: form.control, name: heads as string[] })
  const headText = JSON.stringify(texts)
  const typed = useMemo(
    () => new Map((JSON.parse(headText) as string[]).map((text, at) => [heads[at]!, text])),
    [headText, heads],
  )
  const [store] = useState(liveStore)
  const [asking, setAsking] = useState(false)
  const [issuing, setIssuing] = useState(false)
  const [mehr, setMore] = useState(false)
  const numbers = useQuery({ ...numbersQuery, enabled: asking })
  const summen = asking ? store.get()?.summen : undefined
  const dayWindow = useQuery(dayWindowQuery(docKind.docKind, String(row[datum]))).data

  const wert = useCallback(
    (field: F): string | number | null => {
      const text = typed.get(field) ?? ''
      // An invalid value is reported at its field; everything else is computed with the saved value.
      return fieldFault(defs[field].art, text) === null
        ? fieldValue(defs[field].art, text)
        : (row[field] as string | number | null)
    },
    [typed, defs, row],
  )
  const werte = useMemo(() => fieldValuesOf(wert), [fieldValuesOf, wert])
  const kleinunternehmer = base.data?.lieferant.kleinunternehmer ?? false
  const { rabatt_prozent = '0', ust_satz = '0' } = werte.beleg
  const { anzahlung } = werte
  const sumsHead = useMemo<Head>(
    () => ({ rabatt_prozent, ust_satz, anzahlung, kleinunternehmer }),
    [rabatt_prozent, ust_satz, anzahlung, kleinunternehmer],
  )
  const found = useBelegCheck(base.data, werte, store)
  const faults = found ?? NONE
  const said = useMemo(() => {
    const byLine = new Map<number, string[]>()
    for (const { feld, text, severity } of faults) {
      const [area, at, field] = feld.split('.')
      if (area === 'positionen' && at !== undefined && field !== undefined && severity === 'fehler')
        byLine.set(Number(at), [
          ...(byLine.get(Number(at)) ?? []),
          `${field}\t${text.replace(LINE_NAME, '')}`,
        ])
    }
    return new Map([...byLine].map(([at, words]) => [at, words.join('\n')]))
  }, [faults])

  const felder: DraftFields<F> = {
    form: editor.form,
    bind: (field) => ({
      label: defs[field].label(),
      error: form.formState.errors[field as string]?.message,
      ...form.register(field as string),
    }),
    set: (field, text) =>
      form.setValue(field as string, text, { shouldDirty: true, shouldValidate: true, shouldTouch: true }),
  }
  const fieldOf = (feld: string): string => art.otherNames[feld] ?? feld
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
  const platzhalter = (): Partial<Record<Placeholder, string>> => ({
    name: row.kunde,
    datum: formatDate(String(wert(datum) ?? '')),
    ...(base.data?.faellig && { faellig: formatDate(base.data.faellig) }),
  })
  const text = (field: F, art: TextModuleKind, rows: number) => (
    <TextWithModules
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
  const foot = useMemo(() => <LiveNetto store={store} />, [store])
  const issuable = found !== null && isIssuable(found)
  const { isDirty } = editor.form.formState
  const confirmIssue = async () => {
    setIssuing(true)
    try {
      const { nummer } = await docKind.issue(id, row.version, mehr)
      toast.success(t('{nummer} wurde ausgestellt.', { nummer }))
      await forgetBelege(client)
      view.go(docKind.record(id), { replace: true })
      setAsking(false)
    } catch (error) {
      if (error instanceof ApiError && error.rule === 'mehr_als_angeboten') return setMore(true)
      toast.error(messageOf(error))
      setAsking(false)
      void forgetBelege(client)
    } finally {
      setIssuing(false)
    }
  }
  const next = numbers.data?.find((kreis) => kreis.art === docKind.docKind)?.naechste_nummer
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
          <ChangeKunde docKind={docKind} id={id} kunde={row.kunde} />
          <DeleteDraft docKind={docKind} id={id} version={row.version} name={row.kunde} />
          <DraftPreview
            docKind={docKind.docKind}
            id={id}
            beleg={() => (base.data ? belegOf(base.data, werte, store.get()?.zeilen ?? []) : null)}
          />
          <ButtonLink href={docKind.record(id)}>{t('Ansehen')}</ButtonLink>
          <Button
            variant="primary"
            disabled={isDirty || !issuable || base.isPending}
            onClick={() => setAsking(true)}
          >
            {t('Ausstellen')}
          </Button>
        </>
      }
    >
      <RecordForm editor={editor} label={title}>
        <div className="stack">
          <Card title={t('Kopf')}>
            <FieldGrid>
              <DateField
                {...felder.bind(datum)}
                required
                hint={
                  dayWindow &&
                  (dayWindow.min === null
                    ? t('bis {max}', { max: formatDate(dayWindow.max) })
                    : t('{min} bis {max}', {
                        min: formatDate(dayWindow.min),
                        max: formatDate(dayWindow.max),
                      }))
                }
              />
              {art.kopf(felder)}
            </FieldGrid>
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
                    kopf={sumsHead}
                    said={said}
                    onLive={store.set}
                    foot={foot}
                  />
                  {fieldState.error && <p className="field-error">{fieldState.error.message}</p>}
                </div>
              )}
            />
          </Card>
          <div className="beleg-two">
            <Card title={t('Summen')}>
              <LiveSums store={store} rabatt_prozent={rabatt_prozent} />
            </Card>
            <Card title={t('Prüfung vor dem Ausstellen')}>
              {base.isError ? (
                <Notice tone="danger">{messageOf(base.error)}</Notice>
              ) : found === null ? (
                <Skeleton lines={2} />
              ) : (
                <BelegCheck faults={faults} hrefOf={hrefOf} onJump={jump} />
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
              <FieldGrid>{art.terms(felder)}</FieldGrid>
            </Card>
          </div>
        </div>
      </RecordForm>
      <RecordConflict editor={editor} />
      <ConfirmDialog
        open={asking}
        title={words.issue}
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
        {summen && <p>{t('Brutto: {betrag}', { betrag: formatEuro(summen.brutto) })}</p>}
        <p>{t('Das ist endgültig: Danach lässt sich nichts mehr ändern oder löschen.')}</p>
      </ConfirmDialog>
    </Page>
  )
}

/** Separate component, because it re-renders with every key. */
function LiveSums({ store, rabatt_prozent }: { store: LiveStore; rabatt_prozent: string }) {
  const live = useSyncExternalStore(store.subscribe, store.get)
  return live === null ? (
    <Skeleton lines={3} />
  ) : (
    <BelegSums summen={live.summen} rabatt_prozent={rabatt_prozent} live />
  )
}

/** The sums in short, next to the lines. */
function LiveNetto({ store }: { store: LiveStore }) {
  const live = useSyncExternalStore(store.subscribe, store.get)
  if (live === null) return null
  return (
    <dl className="pos-total">
      <div>
        <dt>{t('Netto')}</dt>
        <dd>{formatEuro(live.summen.netto)}</dd>
      </div>
      <div>
        <dt>{t('Brutto')}</dt>
        <dd>{formatEuro(live.summen.brutto)}</dd>
      </div>
    </dl>
  )
}
