// Writes reminders for the chosen invoices: fee and due date of each, the text per level, a preview of the
// real letter, and mails only if requested.
import { useMutation, useQuery } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { MahnListRow } from '#contract/zahlung.ts'
import {
  add,
  decimal,
  formatAmount,
  formatCents,
  formatDecimal,
  formatEuro,
  parseNumberInput,
  sum,
} from '#domain/geld.ts'
import { MAHN_TEXT, type MahnLevel } from '#domain/mahnung.ts'
import { unknownPlaceholders } from '#domain/placeholders.ts'
import { addDays, nextWorkday } from '#domain/day.ts'
import { postBlob } from '../../../data/blob.ts'
import { messageOf } from '../../../record/record-faults.ts'
import { Button } from '../../../ui/Button.tsx'
import { DateField } from '../../../ui/DateField.tsx'
import { Notice } from '../../../ui/Display.tsx'
import { Checkbox, TextField } from '../../../ui/Field.tsx'
import { FormDialog } from '../../../ui/FormDialog.tsx'
import { formatDate } from '../../../ui/format.ts'
import { parseDay } from '../../../ui/parse-day.ts'
import { ErrorState, Skeleton } from '../../../ui/States.tsx'
import { t } from '../../../ui/text.ts'
import { toast } from '../../../ui/toasts.ts'
import { today } from '../../../ui/today.ts'
import { useUnsavedChanges } from '../../../ui/unsaved.ts'
import { useBelegAct } from '../beleg.data.ts'
import { PdfView } from '../../../record/beleg/PdfView.tsx'
import { TextWithModules } from '../TextWithModules.tsx'
import { mahnLevelText } from '../dispatch/dispatch-words.ts'
import { dispatchStateQuery } from '../dispatch/dispatch.data.ts'
import { numberFault } from '../number-words.ts'
import { writeMahnung, previewOf, type Requested } from './mahnung.data.ts'
import './mahnung.css'

const FEE = { decimals: 2, integerDigits: 6 } as const
interface Entry {
  readonly gebuehr: string
  readonly faellig: string
}
interface Failure {
  readonly zeile: MahnListRow
  readonly grund: string
}

const levelOf = ({ naechste }: MahnListRow): MahnLevel => naechste ?? 3
const entryOf = ({ gebuehr, frist }: MahnListRow): Entry => ({
  gebuehr: formatAmount(gebuehr ?? '0.00'),
  faellig: formatDate(nextWorkday(addDays(today(), frist))),
})

function faultsOf({ gebuehr, faellig }: Entry): Partial<Record<keyof Entry, string>> {
  const fee = parseNumberInput(gebuehr, FEE)
  const day = parseDay(faellig)
  return {
    ...(typeof fee === 'string' && { gebuehr: numberFault(fee, 2) }),
    ...(day === null
      ? { faellig: t('Bitte ein Datum wie 31.12.2026.') }
      : (day <= today() || day > addDays(today(), 365)) && {
          faellig: t('Nach heute und höchstens ein Jahr danach.'),
        }),
  }
}
function textFault(text: string): string | undefined {
  if (text.trim() === '') return t('Diese Angabe fehlt.')
  const [unknown] = unknownPlaceholders(text)
  return unknown === undefined
    ? undefined
    : t('{platzhalter} ist kein Platzhalter. Bitte ersetzen oder die Klammer entfernen.', {
        platzhalter: unknown,
      })
}

export function MahnDialog({
  rows,
  onClose,
  onDone,
}: {
  rows: readonly MahnListRow[]
  onClose: () => void
  onDone: () => void
}) {
  const form = useRef<HTMLFormElement>(null)
  const [left, setLeft] = useState(rows)
  const [entries, setEntries] = useState<Readonly<Record<number, Entry>>>(() =>
    Object.fromEntries(rows.map((row) => [row.rechnung_id, entryOf(row)])),
  )
  const [texts, setTexts] = useState<Readonly<Record<MahnLevel, string>>>(MAHN_TEXT)
  const [withMail, setWithMail] = useState(false)
  const [tried, setTried] = useState(false)
  const [failures, setFailures] = useState<readonly Failure[]>([])
  const [done, setDone] = useState(0)
  const lage = useQuery(dispatchStateQuery)
  const levels = ([1, 2, 3] as const).filter((stufe) => left.some((row) => levelOf(row) === stufe))
  const dirty =
    levels.some((stufe) => texts[stufe] !== MAHN_TEXT[stufe]) ||
    left.some((row) => JSON.stringify(entries[row.rechnung_id]) !== JSON.stringify(entryOf(row)))
  const disarm = useUnsavedChanges(dirty)
  const without = left.filter(({ mail }) => mail === '')
  const requestOf = (zeile: MahnListRow): Requested | null => {
    const entry = entries[zeile.rechnung_id]!
    const stufe = levelOf(zeile)
    const fee = parseNumberInput(entry.gebuehr, FEE)
    const faellig = parseDay(entry.faellig)
    if (typeof fee === 'string' || faellig === null || textFault(texts[stufe]) !== undefined) return null
    return { zeile, stufe, faellig, gebuehr: formatDecimal(fee), text: texts[stufe] }
  }
  const write = useBelegAct(async (requests: readonly Requested[]) => {
    const failed: Failure[] = []
    // Sequential: the journal is written serially anyway, and each reminder stays even if a later one fails.
    for (const [at, request] of requests.entries()) {
      setDone(at)
      try {
        const an = await writeMahnung(request, withMail)
        if (withMail && an === null)
          failed.push({
            zeile: request.zeile,
            grund: t('Geschrieben, aber nicht versendet: Es ist keine E-Mail-Adresse hinterlegt.'),
          })
      } catch (error) {
        failed.push({ zeile: request.zeile, grund: messageOf(error) })
      }
    }
    return failed
  })
  const submit = () => {
    setTried(true)
    const requests = left.map(requestOf).filter((request) => request !== null)
    const wrong = left.find((row) => Object.keys(faultsOf(entries[row.rechnung_id]!)).length > 0)
    if (wrong !== undefined) {
      const [field] = Object.keys(faultsOf(entries[wrong.rechnung_id]!))
      return form.current?.querySelector<HTMLElement>(`[name="${field}-${wrong.rechnung_id}"]`)?.focus()
    }
    const empty = levels.find((stufe) => textFault(texts[stufe]) !== undefined)
    if (empty !== undefined)
      return form.current?.querySelector<HTMLElement>(`[name="text-${empty}"]`)?.focus()
    return write.mutate(requests, {
      onSuccess: (failed) => {
        const count = requests.length - failed.length
        if (failed.length > 0) {
          setFailures(failed)
          setLeft(failed.map(({ zeile }) => zeile))
          return
        }
        disarm()
        toast.success(
          withMail
            ? count === 1
              ? t('Die Mahnung ist geschrieben und unterwegs.')
              : t('{n} Mahnungen sind geschrieben und unterwegs.', { n: count })
            : count === 1
              ? t('Die Mahnung ist geschrieben.')
              : t('{n} Mahnungen sind geschrieben.', { n: count }),
        )
        onDone()
      },
    })
  }
  const change = (id: number, part: Partial<Entry>) =>
    setEntries((before) => ({ ...before, [id]: { ...before[id]!, ...part } }))
  const isOver = failures.length > 0
  return (
    <FormDialog
      title={
        left.length === 1
          ? t('{stufe} schreiben', { stufe: mahnLevelText(levelOf(left[0]!)) })
          : t('{n} Mahnungen schreiben', { n: left.length })
      }
      width="wide"
      formRef={form}
      submitLabel={withMail ? t('Schreiben und senden') : t('Schreiben')}
      busy={write.isPending}
      disabled={isOver}
      dirty={dirty && !isOver}
      unsaved={t('Die Mahnungen sind noch nicht geschrieben.')}
      fault={null}
      onSubmit={submit}
      onClose={() => {
        disarm()
        if (isOver) onDone()
        else onClose()
      }}
    >
      {write.isPending && rows.length > 1 && (
        <output>{t('{done} von {n} geschrieben …', { done, n: left.length })}</output>
      )}
      {isOver && (
        <Notice tone="warning" title={t('Nicht alles hat geklappt')}>
          <ul>
            {failures.map(({ zeile, grund }) => (
              <li key={zeile.rechnung_id}>
                {zeile.nummer}: {grund}
              </li>
            ))}
          </ul>
          <p>{t('Alles andere ist erledigt. Schließen Sie das Fenster, um die Liste neu zu sehen.')}</p>
        </Notice>
      )}
      <ul className="mahn-list" aria-label={t('Rechnungen')}>
        {left.map((row) => {
          const entry = entries[row.rechnung_id]!
          const faults = tried ? faultsOf(entry) : {}
          const fee = parseNumberInput(entry.gebuehr, FEE)
          const asked =
            typeof fee === 'string'
              ? null
              : formatCents(add(sum([decimal(row.offen), decimal(row.gebuehren)]), fee))
          return (
            <li key={row.rechnung_id}>
              <div>
                <strong>{row.nummer}</strong> {row.kunde}
                <div className="soft">
                  {t('{stufe}, offen {offen}, {tage} Tage überfällig', {
                    stufe: mahnLevelText(levelOf(row)),
                    offen: formatEuro(row.offen),
                    tage: row.tage,
                  })}
                </div>
                {!row.dran && (
                  <div className="soft">
                    {t('Die Frist läuft noch; gemahnt wird üblicherweise erst danach.')}
                  </div>
                )}
                {asked !== null && <div>{t('Gefordert werden {betrag}', { betrag: formatEuro(asked) })}</div>}
              </div>
              <TextField
                label={t('Gebühr')}
                required
                unit="€"
                inputMode="decimal"
                autoComplete="off"
                name={`gebuehr-${row.rechnung_id}`}
                value={entry.gebuehr}
                error={faults.gebuehr}
                onChange={({ target }) => change(row.rechnung_id, { gebuehr: target.value })}
              />
              <DateField
                label={t('Zahlbar bis')}
                required
                name={`faellig-${row.rechnung_id}`}
                value={entry.faellig}
                error={faults.faellig}
                onChange={({ target }) => change(row.rechnung_id, { faellig: target.value })}
              />
            </li>
          )
        })}
      </ul>
      {levels.map((stufe) => (
        <TextWithModules
          key={stufe}
          art="mahnung"
          // Filled in by the server for each invoice.
          platzhalter={() => ({})}
          label={
            levels.length === 1 ? t('Text') : t('Text der Stufe {stufe}', { stufe: mahnLevelText(stufe) })
          }
          hint={t('{betrag}, {faellig}, {nummer}, {name} und {datum} werden je Rechnung ausgefüllt.')}
          required
          rows={7}
          maxLength={6000}
          name={`text-${stufe}`}
          value={texts[stufe]}
          error={tried ? textFault(texts[stufe]) : undefined}
          onChange={({ target }) => setTexts((before) => ({ ...before, [stufe]: target.value }))}
          onInsert={(text) => setTexts((before) => ({ ...before, [stufe]: text }))}
        />
      ))}
      <Checkbox
        label={
          left.length === 1
            ? t('Gleich per E-Mail an den Kunden senden')
            : t('Gleich per E-Mail an die Kunden senden')
        }
        hint={
          lage.data?.mail === false
            ? t('Auf diesem Server ist kein Mailversand eingerichtet.')
            : without.length > 0
              ? t(
                  'Ohne Rechnungsadresse per E-Mail: {namen}. Dort gilt die Adresse aus der Rechnung, sonst bleibt die Mahnung liegen.',
                  {
                    namen: [...new Set(without.map(({ kunde, nummer }) => kunde ?? nummer))].join(', '),
                  },
                )
              : undefined
        }
        disabled={lage.data?.mail !== true}
        checked={withMail}
        onChange={({ target }) => setWithMail(target.checked)}
      />
      {!isOver && <Preview requests={left.map(requestOf).filter((request) => request !== null)} />}
    </FormDialog>
  )
}

/** The real letters as the server renders them, one at a time. */
function Preview({ requests }: { requests: readonly Requested[] }) {
  const look = useMutation({
    mutationFn: (request: Requested) => postBlob('beleg/vorschau/mahnung.pdf', previewOf(request)),
  })
  const [at, setAt] = useState(0)
  const request = requests[Math.min(at, requests.length - 1)]
  const show = (place: number) => {
    setAt(place)
    const next = requests[place]
    if (next !== undefined) look.mutate(next)
  }
  return (
    <section aria-label={t('Vorschau')} className="stack">
      <div className="mahn-look">
        <Button
          icon="file"
          disabled={request === undefined}
          busy={look.isPending}
          onClick={() => show(Math.min(at, requests.length - 1))}
        >
          {t('Vorschau')}
        </Button>
        {requests.length > 1 && look.data !== undefined && (
          <>
            <Button disabled={at === 0 || look.isPending} onClick={() => show(at - 1)}>
              {t('Vorherige')}
            </Button>
            <Button disabled={at >= requests.length - 1 || look.isPending} onClick={() => show(at + 1)}>
              {t('Nächste')}
            </Button>
            <span className="soft">{t('{n} von {alle}', { n: at + 1, alle: requests.length })}</span>
          </>
        )}
      </div>
      {look.isPending ? (
        <Skeleton lines={8} />
      ) : look.isError ? (
        <ErrorState error={look.error} onRetry={() => show(at)} />
      ) : (
        look.data !== undefined &&
        request !== undefined && (
          <PdfView
            key={`${request.zeile.rechnung_id} ${look.submittedAt}`}
            blob={look.data}
            name={request.zeile.nummer}
          />
        )
      )}
    </section>
  )
}
