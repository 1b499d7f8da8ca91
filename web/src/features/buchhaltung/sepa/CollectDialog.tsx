// A file for the bank from the chosen invoices: the day of collection, what it collects, what comes next.
import type { Lastschrift } from '#contract/sepa.ts'
import { addDays } from '#domain/day.ts'
import { decimal, formatEuro, sum } from '#domain/geld.ts'
import { firstCollectionDay, isTargetDay, targetDayFrom } from '#domain/sepa/target-day.ts'
import { rpc } from '../../../data/rpc.ts'
import { unlessFaulty } from '../../../record/dialog-form.ts'
import { useDialogForm } from '../../../record/use-dialog-form.ts'
import { DateField } from '../../../ui/DateField.tsx'
import { Notice } from '../../../ui/Display.tsx'
import { FormDialog } from '../../../ui/FormDialog.tsx'
import { formatDate } from '../../../ui/format.ts'
import { dayExpected, parseDay } from '../../../ui/parse-day.ts'
import { t } from '../../../ui/text.ts'
import { today } from '../../../ui/today.ts'
import { useSepaAct } from './sepa.data.ts'

interface Props {
  rows: readonly Lastschrift[]
  onClose: () => void
  onDone: () => void
}

/** Invoices that announce no day: fourteen days before, unless agreed otherwise (rulebook of the EPC, 4.3.1). */
const NOTICE_DAYS = 14

/** The latest announced day, which the others have; one that has passed is made up for at once. */
function proposedDay(rows: readonly Lastschrift[]): string {
  const announced = rows.map(({ tag }) => tag ?? addDays(today(), NOTICE_DAYS))
  return targetDayFrom([firstCollectionDay(today()), ...announced].reduce((a, b) => (a > b ? a : b)))
}

function checkDay({ tag }: { readonly tag: string }, earliest: string) {
  const day = parseDay(tag)
  const fault =
    day === null
      ? dayExpected()
      : day < firstCollectionDay(today()) || day > addDays(today(), 365)
        ? t(
            'Frühestens am {tag}, weil die Bank einen Banktag davor braucht, und höchstens ein Jahr danach.',
            {
              tag: formatDate(firstCollectionDay(today())),
            },
          )
        : day < earliest
          ? t('Mindestens eine Rechnung kündigt den {tag} an; früher darf nicht eingezogen werden.', {
              tag: formatDate(earliest),
            })
          : isTargetDay(day)
            ? undefined
            : t('An diesem Tag buchen die Banken nicht. Der nächste Banktag ist der {tag}.', {
                tag: formatDate(targetDayFrom(day)),
              })
  return unlessFaulty({ tag: day ?? '' }, { tag: fault })
}

export function CollectDialog({ rows, onClose, onDone }: Props) {
  const add = useSepaAct((tag: string) =>
    rpc('a_add_sepa_lauf', { rechnungen: rows.map(({ rechnung_id }) => rechnung_id), tag }),
  )
  /** Whose customers do not know it from the invoice. */
  const told = rows.filter(({ angekuendigt, referenz }) => angekuendigt !== referenz)
  const amount = formatEuro(sum(rows.map(({ offen }) => decimal(offen))))
  const form = useDialogForm({
    initial: { tag: formatDate(proposedDay(rows)) },
    check: (values) =>
      checkDay(
        values,
        rows.reduce((last, { tag }) => (tag !== null && tag > last ? tag : last), ''),
      ),
    guarded: false,
    send: ({ tag }) => add.mutateAsync(tag),
    onSent: onDone,
  })
  return (
    <FormDialog
      {...form.frame}
      title={t('Lastschriften einziehen')}
      submitLabel={t('Datei anlegen')}
      onClose={onClose}
    >
      <p>
        {rows.length === 1
          ? t('1 Rechnung über {betrag}.', { betrag: amount })
          : t('{n} Rechnungen, zusammen {betrag}.', { n: rows.length, betrag: amount })}
      </p>
      <DateField label={t('Einzug am')} required {...form.text('tag')} />
      {told.length > 0 && (
        <Notice title={t('Vorher ankündigen')}>
          {t(
            'Diese Rechnungen nennen keinen Einzug oder ein anderes Mandat: {nummern}. Teilen Sie den Kunden Tag, ' +
              'Betrag und Konto vorher mit, ohne andere Vereinbarung vierzehn Tage vor dem Einzug.',
            { nummern: told.map(({ nummer }) => nummer).join(', ') },
          )}
        </Notice>
      )}
      <p className="soft">{t('Als bezahlt gilt eine Rechnung erst mit dem Umsatz der Bank.')}</p>
    </FormDialog>
  )
}
