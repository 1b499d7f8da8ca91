// Writes an advance invoice for an order: a share of it, or amounts by rate.
import { useQuery } from '@tanstack/react-query'
import type { Beleg } from '#domain/beleg.ts'
import { compare, decimal, formatEuro, formatGerman } from '#domain/geld.ts'
import { rpc } from '../../../data/rpc.ts'
import { useDialogForm } from '../../../record/use-dialog-form.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Checkbox, FieldGrid, TextAreaField, TextField } from '../../../ui/Field.tsx'
import { FormDialog } from '../../../ui/FormDialog.tsx'
import { ErrorState, Skeleton } from '../../../ui/States.tsx'
import { t } from '../../../ui/text.ts'
import { useView } from '../../../ui/view.tsx'
import { type Angebot, previewQuery, type Rest, restQuery, useBelegAct } from '../beleg.data.ts'
import { RECHNUNG_KIND } from '../beleg-kinds.ts'
import {
  type AdvanceRequest,
  changeAmount,
  changePercent,
  checkAdvance,
  deriveAdvance,
  groupName,
  type OrderGroup,
  orderGroups,
  startAdvance,
} from './advance.ts'

interface Props {
  angebot: Angebot
  onClose: () => void
}

export function AdvanceDialog({ angebot, onClose }: Props) {
  const id = String(angebot.id)
  const rest = useQuery(restQuery(id))
  const beleg = useQuery(previewQuery('angebot', id, angebot.version))
  if (rest.data && beleg.data)
    return <Form angebot={angebot} rest={rest.data} beleg={beleg.data} onClose={onClose} />
  const failed = [rest, beleg].find(({ isError }) => isError)
  return (
    <Dialog open title={t('Abschlagsrechnung schreiben')} onClose={onClose}>
      {failed ? (
        <ErrorState error={failed.error} onRetry={() => void failed.refetch()} />
      ) : (
        <Skeleton lines={6} />
      )}
    </Dialog>
  )
}

const groupLabel = ({ kategorie, satz }: OrderGroup): string =>
  kategorie === 'S' ? t('Netto zu {satz} % USt', { satz: formatGerman(decimal(satz)) }) : t('Netto ohne USt')

function Form({ angebot, rest, beleg, onClose }: Props & { rest: readonly Rest[]; beleg: Beleg }) {
  const view = useView()
  const groups = orderGroups(rest, beleg)
  const add = useBelegAct((asked: AdvanceRequest) =>
    rpc('a_add_abschlag', { offer_id: angebot.id, ...asked }),
  )
  const form = useDialogForm({
    initial: startAdvance,
    check: (typed) => checkAdvance(typed, deriveAdvance(typed, groups)),
    guarded: false,
    faultsFrom: 'sending',
    send: (asked) => add.mutateAsync(asked),
    onSent: (id) => {
      onClose()
      view.go(RECHNUNG_KIND.draft(id))
    },
  })
  const { values } = form
  const advance = deriveAdvance(values, groups)
  const isOver = compare(advance.brutto, decimal(angebot.rest_brutto)) > 0
  return (
    <FormDialog
      {...form.frame}
      title={t('Abschlagsrechnung schreiben')}
      submitLabel={t('Entwurf anlegen')}
      onClose={onClose}
    >
      <p>
        {t('Beauftragt, brutto: {betrag}. Davon noch nicht in Rechnung gestellt: {rest}.', {
          betrag: formatEuro(angebot.auftrag_brutto ?? '0.00'),
          rest: formatEuro(angebot.rest_brutto),
        })}
      </p>
      <FieldGrid>
        <TextField
          label={t('Anteil am Auftrag')}
          unit="%"
          inputMode="decimal"
          autoComplete="off"
          name="prozent"
          value={values.prozent}
          error={form.errorOf('prozent')}
          onChange={({ target }) => form.set(changePercent(target.value, groups))}
        />
        {groups.map((group) => (
          <TextField
            key={groupName(group)}
            label={groupLabel(group)}
            unit="€"
            inputMode="decimal"
            autoComplete="off"
            name={groupName(group)}
            value={values.amounts[groupName(group)] ?? ''}
            error={form.errorOf(groupName(group))}
            onChange={({ target }) => form.set(changeAmount(values, group, target.value))}
          />
        ))}
      </FieldGrid>
      <p className="nums">
        {t('Netto {netto}, USt {steuer}, brutto {brutto}', {
          netto: formatEuro(advance.netto),
          steuer: formatEuro(advance.steuer),
          brutto: formatEuro(advance.brutto),
        })}
      </p>
      {(isOver || values.mehr) && (
        <Checkbox
          label={t('Zusammen wird mehr gefordert als beauftragt; das ist gewollt.')}
          {...form.flag('mehr')}
        />
      )}
      <TextAreaField label={t('Anschreiben')} rows={3} {...form.text('text')} />
      <p className="soft">
        {t(
          'Ein Abschlag verbraucht nichts vom Angebot. Die Schlussrechnung setzt ab, was darauf eingegangen ist.',
        )}
      </p>
    </FormDialog>
  )
}
