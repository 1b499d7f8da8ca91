// Which invoice or draft a recurring invoice begins with.
import { useQuery } from '@tanstack/react-query'
import { decimal, formatEuro } from '#domain/geld.ts'
import { RecordField } from '../../../list/RecordField.tsx'
import { unlessFaulty } from '../../../record/dialog-form.ts'
import { useDialogForm } from '../../../record/use-dialog-form.ts'
import { SelectField } from '../../../ui/Field.tsx'
import { FormDialog } from '../../../ui/FormDialog.tsx'
import { formatDate } from '../../../ui/format.ts'
import { t } from '../../../ui/text.ts'
import { KUNDE_FILTER } from '../beleg.data.ts'
import { type SourceInvoice, sourcesQuery } from './serie.data.ts'

interface Props {
  onChosen: (invoice: number) => void
  onClose: () => void
}

const sourceText = ({ nummer, rn_datum, brutto }: SourceInvoice): string =>
  t('{nummer} vom {tag}, {betrag}', {
    nummer: nummer ?? t('Entwurf'),
    tag: formatDate(rn_datum),
    betrag: formatEuro(decimal(Number(brutto).toFixed(2))),
  })

export function SourceDialog({ onChosen, onClose }: Props) {
  const form = useDialogForm({
    initial: { client_id: '', invoice: '' },
    check: ({ client_id, invoice }) =>
      unlessFaulty(Number(invoice), {
        client_id: client_id === '' ? t('Bitte wählen Sie einen Kunden.') : undefined,
        invoice: client_id !== '' && invoice === '' ? t('Bitte wählen Sie eine Rechnung.') : undefined,
      }),
    guarded: false,
    faultsFrom: 'sending',
    send: async (invoice) => invoice,
    onSent: onChosen,
  })
  const { client_id } = form.values
  const sources = useQuery(sourcesQuery(client_id)).data
  const missing = form.errorOf('client_id')
  return (
    <FormDialog
      {...form.frame}
      title={t('Wiederkehrende Rechnung einrichten')}
      submitLabel={t('Weiter')}
      onClose={onClose}
    >
      <p>
        {t('Die Vorlage entsteht aus einer Rechnung oder einem Entwurf: Positionen, Texte und Konditionen.')}
      </p>
      <RecordField
        filter={KUNDE_FILTER}
        label={t('Kunde')}
        value={client_id}
        apply={(chosen) => form.set({ client_id: chosen, invoice: '' })}
      />
      {missing !== undefined && <p role="alert">{missing}</p>}
      {sources?.length === 0 && (
        <p>{t('Für diesen Kunden gibt es noch keine Rechnung. Bitte schreiben Sie zuerst einen Entwurf.')}</p>
      )}
      {sources !== undefined && sources.length > 0 && (
        <SelectField
          label={t('Rechnung oder Entwurf')}
          required
          options={[
            { value: '', label: t('bitte wählen') },
            ...sources.map((source) => ({ value: String(source.id), label: sourceText(source) })),
          ]}
          {...form.text('invoice')}
        />
      )}
    </FormDialog>
  )
}
