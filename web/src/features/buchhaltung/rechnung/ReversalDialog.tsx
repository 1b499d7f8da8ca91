// Reverses an entry of the payments. A cash discount or a loss is asked about: one that was a mistake never was, one
// that no longer holds counts until then.
import type { Zahlung } from '#contract/zahlung.ts'
import {
  formatAmount,
  formatDecimal,
  formatEuro,
  negate,
  parseNumberInput,
  sign,
  decimal,
} from '#domain/geld.ts'
import { rpc } from '../../../data/rpc.ts'
import { unlessFaulty } from '../../../record/dialog-form.ts'
import { type DialogForm, useDialogForm } from '../../../record/use-dialog-form.ts'
import { DateField } from '../../../ui/DateField.tsx'
import { FieldGrid, SelectField, TextField } from '../../../ui/Field.tsx'
import { FormDialog } from '../../../ui/FormDialog.tsx'
import { formatDate } from '../../../ui/format.ts'
import { dayExpected, parseDay } from '../../../ui/parse-day.ts'
import { t } from '../../../ui/text.ts'
import { toast } from '../../../ui/toasts.ts'
import { today } from '../../../ui/today.ts'
import { useBelegAct } from '../beleg.data.ts'
import { numberFault } from '../number-words.ts'

/** '': not chosen yet. */
type Why = '' | 'irrtum' | 'doch'
interface Reversal {
  readonly why: Why
  readonly datum: string
  readonly betrag: string
  readonly grund: string
}

/** What lowers the claim may have held for a time: its end is a separate entry (§ 17 (1), (2) Nr. 1 UStG). */
const canEnd = ({ art, betrag }: Zahlung): boolean =>
  (art === 'ausfall' || art === 'skonto') && sign(decimal(betrag)) > 0

function check({ why, datum, betrag, grund }: Reversal) {
  const missing = t('Diese Angabe fehlt.')
  const day = parseDay(datum)
  const value = parseNumberInput(betrag, { decimals: 2, integerDigits: 12 })
  const ends = why === 'doch'
  return unlessFaulty(
    {
      grund: grund.trim(),
      end:
        ends && day !== null && typeof value !== 'string'
          ? { datum: day, betrag: formatDecimal(negate(value)) }
          : null,
    },
    {
      why: why === '' ? missing : undefined,
      datum: ends && day === null ? dayExpected() : undefined,
      betrag: ends && typeof value === 'string' ? numberFault(value, 2) : undefined,
      grund: grund.trim() === '' ? missing : undefined,
    },
  )
}

export function ReversalDialog({
  rechnung_id,
  zahlung,
  onClose,
}: {
  rechnung_id: number
  zahlung: Zahlung
  onClose: () => void
}) {
  const asks = canEnd(zahlung)
  const reverse = useBelegAct(
    async ({ grund, end }: { grund: string; end: { datum: string; betrag: string } | null }) => {
      const { id, art } = zahlung
      await (end === null
        ? rpc('a_revoke_payment', { zahlung_id: id, grund })
        : rpc('a_add_payment', { rechnung_id, art, bemerkung: grund, ...end }))
    },
  )
  const form = useDialogForm({
    initial: {
      why: asks ? '' : 'irrtum',
      datum: formatDate(today()),
      betrag: formatAmount(zahlung.betrag),
      grund: '',
    } as Reversal,
    check,
    guarded: false,
    faultsFrom: 'sending',
    send: (checked) => reverse.mutateAsync(checked),
    onSent: () => {
      toast.success(sentText(zahlung, form.values.why))
      onClose()
    },
  })
  return (
    <FormDialog
      {...form.frame}
      title={titleOf(zahlung)}
      submitLabel={t('Zurücknehmen')}
      faultTitle={t('Nicht gespeichert')}
      onClose={onClose}
    >
      <p>
        {asks
          ? t('{betrag} vom {tag}. Davon hängt der Monat der Umsatzsteuer ab.', {
              betrag: formatEuro(zahlung.betrag),
              tag: formatDate(zahlung.datum),
            })
          : t('{betrag} vom {tag}: Eine Gegenbuchung hebt die Zahlung auf; beide bleiben stehen.', {
              betrag: formatEuro(zahlung.betrag),
              tag: formatDate(zahlung.datum),
            })}
      </p>
      {asks && <Ending form={form} zahlung={zahlung} />}
      <TextField label={t('Grund')} required maxLength={500} autoComplete="off" {...form.text('grund')} />
    </FormDialog>
  )
}

function Ending({ form, zahlung }: { form: DialogForm<Reversal>; zahlung: Zahlung }) {
  const { text, live, values } = form
  const lost = zahlung.art === 'ausfall'
  return (
    <>
      <SelectField
        label={t('Was ist geschehen?')}
        required
        options={[
          { value: '', label: t('Bitte wählen') },
          { value: 'irrtum', label: t('Irrtum: Der Eintrag war von Anfang an falsch') },
          {
            value: 'doch',
            label: lost ? t('Das Geld kam doch noch') : t('Der Abzug gilt nicht mehr'),
          },
        ]}
        hint={
          values.why === 'irrtum'
            ? t(
                'Der Eintrag zählt dann auch in seinem eigenen Monat nicht mehr. Ist die Voranmeldung schon ' +
                  'abgegeben, muss sie berichtigt werden.',
              )
            : values.why === 'doch'
              ? t(
                  'Die Umsatzsteuer erhöht sich im Monat dieses Tages; frühere Voranmeldungen bleiben, wie sie ' +
                    'sind (§ 17 UStG).',
                )
              : undefined
        }
        {...text('why')}
      />
      {values.why === 'doch' && (
        <FieldGrid>
          <DateField
            label={lost ? t('Geld da seit') : t('Gilt nicht mehr seit')}
            required
            {...live('datum')}
          />
          <TextField
            label={t('Betrag')}
            required
            unit="€"
            inputMode="decimal"
            autoComplete="off"
            {...live('betrag')}
          />
        </FieldGrid>
      )}
    </>
  )
}

function titleOf({ art }: Zahlung): string {
  switch (art) {
    case 'ausfall':
      return t('Ausfall zurücknehmen?')
    case 'skonto':
      return t('Skonto zurücknehmen?')
    case 'zahlung':
    case 'mahnkosten':
      return t('Zahlung zurücknehmen?')
  }
}
function sentText({ art }: Zahlung, why: Why): string {
  if (art === 'ausfall' && why === 'doch')
    return t('Der Ausfall ist zurückgenommen. Bitte tragen Sie jetzt die Zahlung ein.')
  return art === 'zahlung' || art === 'mahnkosten'
    ? t('Die Zahlung ist zurückgenommen.')
    : t('Der Eintrag ist zurückgenommen.')
}
