// Writes reminders for the chosen invoices: fee and due date of each, the text per level, a preview of the
// real letter, and mails only if requested.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { MahnListRow } from '#contract/zahlung.ts'
import { formatEuro } from '#domain/geld.ts'
import type { MahnLevel } from '#domain/mahnung.ts'
import { messageOf } from '../../../record/record-faults.ts'
import { type DialogForm, useDialogForm } from '../../../record/use-dialog-form.ts'
import { DateField } from '../../../ui/DateField.tsx'
import { Notice } from '../../../ui/Display.tsx'
import { Checkbox, TextField } from '../../../ui/Field.tsx'
import { FormDialog } from '../../../ui/FormDialog.tsx'
import { Refusal } from '../../../ui/Refusal.tsx'
import { t } from '../../../ui/text.ts'
import { toast } from '../../../ui/toasts.ts'
import { today } from '../../../ui/today.ts'
import { useBelegAct } from '../beleg.data.ts'
import { dispatchStateQuery } from '../dispatch/dispatch.data.ts'
import { mahnLevelText } from '../../../record/beleg/beleg-states.ts'
import { TextWithModules } from '../TextWithModules.tsx'
import './mahnung.css'
import { DefaultFields } from './DefaultFields.tsx'
import { MahnPreview } from './MahnPreview.tsx'
import {
  checkMahnungen,
  claimOf,
  dayName,
  feeName,
  interestOf,
  levelOf,
  levelsOf,
  type MahnValues,
  requestsOf,
  startMahnungen,
  textName,
  withBlock,
} from './mahn-form.ts'
import { lieferant } from '../settings/settings.data.ts'
import { type Requested, writeMahnung } from './mahnung.data.ts'

interface Failure {
  readonly zeile: MahnListRow
  readonly grund: string
}

/** Writes one reminder after the other; `done`: how many are behind it. Answers those that failed. */
function useWriteMahnungen(withMail: boolean) {
  const [done, setDone] = useState(0)
  const write = useBelegAct(async (requests: readonly Requested[]) => {
    const failed: Failure[] = []
    // Sequential: the journal is written serially anyway, and each reminder stays even if a later one fails.
    for (const [at, request] of requests.entries()) {
      setDone(at)
      try {
        const why = await writeMahnung(request, withMail)
        if (why !== null)
          failed.push({
            zeile: request.zeile,
            grund: t('Geschrieben, aber nicht versendet: {grund}', { grund: why }),
          })
      } catch (error) {
        failed.push({ zeile: request.zeile, grund: messageOf(error) })
      }
    }
    return failed
  })
  return { done, write }
}

const doneText = (count: number, withMail: boolean): string =>
  withMail
    ? count === 1
      ? t('Die Mahnung ist geschrieben und unterwegs.')
      : t('{n} Mahnungen sind geschrieben und unterwegs.', { n: count })
    : count === 1
      ? t('Die Mahnung ist geschrieben.')
      : t('{n} Mahnungen sind geschrieben.', { n: count })

interface Props {
  rows: readonly MahnListRow[]
  /** Chosen as well, but no reminder can be written for them now. */
  notDue?: readonly MahnListRow[]
  onClose: () => void
  onDone: () => void
}

export function MahnDialog({ rows, notDue = [], onClose, onDone }: Props) {
  const [withMail, setWithMail] = useState(false)
  const [failures, setFailures] = useState<readonly Failure[]>([])
  const isOver = failures.length > 0
  const left = isOver ? failures.map(({ zeile }) => zeile) : rows
  const { done, write } = useWriteMahnungen(withMail)
  const [initial] = useState<MahnValues>(() => startMahnungen(rows, today()))
  const form = useDialogForm({
    initial,
    check: (values) => checkMahnungen(values, left, today()),
    faultsFrom: 'sending',
    send: (requests) => write.mutateAsync(requests),
    onSent: (failed) => {
      if (failed.length > 0) return setFailures(failed)
      toast.success(doneText(left.length, withMail))
      onDone()
    },
  })
  const levels = levelsOf(left)
  return (
    <FormDialog
      {...form.frame}
      title={
        left.length === 1
          ? t('{stufe} schreiben', { stufe: mahnLevelText(levelOf(left[0]!)) })
          : t('{n} Mahnungen schreiben', { n: left.length })
      }
      width="wide"
      submitLabel={withMail ? t('Schreiben und senden') : t('Schreiben')}
      disabled={isOver}
      dirty={form.frame.dirty && !isOver}
      unsaved={t('Die Mahnungen sind noch nicht geschrieben.')}
      onClose={() => {
        form.disarm()
        if (isOver) onDone()
        else onClose()
      }}
    >
      {write.isPending && rows.length > 1 && (
        <output>{t('{done} von {n} geschrieben …', { done, n: left.length })}</output>
      )}
      {isOver && <Failures failures={failures} />}
      {!isOver && notDue.length > 0 && <NotDue rows={notDue} />}
      <ul className="mahn-list" aria-label={t('Rechnungen')}>
        {left.map((row) => (
          <RowFields key={row.rechnung_id} row={row} form={form} />
        ))}
      </ul>
      {levels.map((level) => (
        <LevelText key={level} level={level} isOnly={levels.length === 1} form={form} />
      ))}
      <MailCheckbox rows={left} checked={withMail} onCheck={setWithMail} />
      {!isOver && <MahnPreview requests={requestsOf(form.values, left)} />}
    </FormDialog>
  )
}

const Failures = ({ failures }: { failures: readonly Failure[] }) => (
  <Refusal title={t('Nicht alles hat geklappt')}>
    <ul>
      {failures.map(({ zeile, grund }) => (
        <li key={zeile.rechnung_id}>
          {zeile.nummer}: {grund}
        </li>
      ))}
    </ul>
    <p>{t('Alles andere ist erledigt. Schließen Sie das Fenster, um die Liste neu zu sehen.')}</p>
  </Refusal>
)

const NotDue = ({ rows }: { rows: readonly MahnListRow[] }) => (
  <Notice
    tone="info"
    title={t('Nicht dabei: {nummern}', { nummern: rows.map(({ nummer }) => nummer).join(', ') })}
  >
    {t(
      'Bei diesen Rechnungen läuft die Frist noch, oder es sind schon alle Mahnungen versendet. Ab wann Sie mahnen ' +
        'können, steht in der Liste.',
    )}
  </Notice>
)

function RowFields({ row, form }: { row: MahnListRow; form: DialogForm<MahnValues> }) {
  const rates = useQuery(lieferant).data?.basiszins ?? []
  const interest = interestOf(form.values, row, rates, today())
  const claim = claimOf(form.values, row, interest)
  return (
    <li>
      <div>
        <strong>{row.nummer}</strong> {row.kunde}
        <div className="soft">
          {row.tage === 1
            ? t('{stufe}, offen {offen}, 1 Tag überfällig', {
                stufe: mahnLevelText(levelOf(row)),
                offen: formatEuro(row.offen),
              })
            : t('{stufe}, offen {offen}, {tage} Tage überfällig', {
                stufe: mahnLevelText(levelOf(row)),
                offen: formatEuro(row.offen),
                tage: row.tage,
              })}
        </div>
        {claim !== null && <div>{t('Gefordert werden {betrag}', { betrag: formatEuro(claim) })}</div>}
      </div>
      <TextField
        label={t('Gebühr')}
        required
        unit="€"
        inputMode="decimal"
        autoComplete="off"
        {...form.text(feeName(row))}
      />
      <DateField label={t('Zahlbar bis')} required {...form.text(dayName(row))} />
      <DefaultFields row={row} form={form} interest={interest} />
    </li>
  )
}

function LevelText({
  level,
  isOnly,
  form,
}: {
  level: MahnLevel
  isOnly: boolean
  form: DialogForm<MahnValues>
}) {
  const name = textName(level)
  return (
    <TextWithModules
      art="mahnung"
      // Filled in by the server for each invoice.
      platzhalter={() => ({})}
      label={isOnly ? t('Text') : t('Text der Stufe {stufe}', { stufe: mahnLevelText(level) })}
      hint={t('{betrag}, {faellig}, {nummer}, {name} und {datum} werden je Rechnung ausgefüllt.')}
      required
      rows={7}
      maxLength={6000}
      onInsert={(block) => form.set({ [name]: withBlock(form.values, level, block) })}
      {...form.text(name)}
    />
  )
}

function MailCheckbox({
  rows,
  checked,
  onCheck,
}: {
  rows: readonly MahnListRow[]
  checked: boolean
  onCheck: (checked: boolean) => void
}) {
  const state = useQuery(dispatchStateQuery).data
  const without = rows.filter(({ mail }) => mail === '').map(({ kunde, nummer }) => kunde ?? nummer)
  return (
    <Checkbox
      label={
        rows.length === 1
          ? t('Gleich per E-Mail an den Kunden senden')
          : t('Gleich per E-Mail an die Kunden senden')
      }
      hint={
        state?.mail === false
          ? t('Auf diesem Server ist kein Mailversand eingerichtet.')
          : without.length > 0
            ? t(
                'Ohne Rechnungsadresse per E-Mail: {namen}. Dort gilt die Adresse aus der Rechnung, sonst ' +
                  'bleibt die Mahnung liegen.',
                { namen: [...new Set(without)].join(', ') },
              )
            : undefined
      }
      disabled={state?.mail !== true}
      checked={checked}
      onChange={({ target }) => onCheck(target.checked)}
    />
  )
}
