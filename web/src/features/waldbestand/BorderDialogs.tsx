// Deciding on a proposed border: applied, with what happens to overlaps and to the address of a new stand; or refused
// with a reason.
import type { Waldbestand } from '#contract/bestand.ts'
import type { BorderProposalDetails } from '#contract/border.ts'
import { unlessFaulty } from '../../record/dialog-form.ts'
import { useDialogForm } from '../../record/use-dialog-form.ts'
import { Checkbox, TextAreaField, TextField } from '../../ui/Field.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { t } from '../../ui/text.ts'
import { toast } from '../../ui/toasts.ts'
import { useApplyBorder, useRefuseBorder } from './borders.data.ts'

const LEVELS = ['e1', 'e2', 'e3', 'e4', 'e5'] as const

interface Props {
  details: BorderProposalDetails
  onClose: () => void
}
export function ApplyDialog({ details, forest, onClose }: Props & { forest: Waldbestand }) {
  const apply = useApplyBorder(String(details.idHQ))
  const isNew = details.bestand_id === null
  const overlaps = details.nachbarn.length > 0
  const { frame, text, flag } = useDialogForm({
    initial: {
      zuschneiden: overlaps,
      gesehen: !details.geaendert,
      e1: details.sLVL01 ?? '',
      e2: details.sLVL02 ?? '',
      e3: details.sLVL03 ?? '',
      e4: details.sLVL04 ?? '',
      e5: details.sLVL05 ?? '',
      nummer: details.iSTAND === null ? '' : String(details.iSTAND),
    },
    check: (values) =>
      unlessFaulty(values, {
        nummer: /^\d{0,9}$/.test(values.nummer.trim()) ? undefined : t('Bitte eine ganze Zahl.'),
        gesehen: values.gesehen
          ? undefined
          : t('Bitte bestätigen Sie, dass Sie die heutige Grenze ersetzen wollen.'),
      }),
    guarded: false,
    faultsFrom: 'sending',
    send: (values) =>
      apply.mutateAsync({
        vorschlag_id: details.id,
        version: details.version,
        fassung: details.ziel_fassung,
        zuschneiden: values.zuschneiden,
        adresse: isNew
          ? [
              ...LEVELS.map((level) => values[level].trim()),
              values.nummer.trim() === '' ? null : Number(values.nummer),
            ]
          : null,
      }),
    onSent: () => {
      toast.success(t('Die Grenze ist übernommen.'))
      onClose()
    },
  })
  return (
    <FormDialog
      {...frame}
      title={isNew ? t('Neuen Bestand anlegen') : t('Grenze übernehmen')}
      submitLabel={t('Übernehmen')}
      faultTitle={t('Grenze nicht übernommen')}
      onClose={onClose}
    >
      <p>
        {isNew
          ? t('Der Bestand kommt mit der Fläche aus dem Wald in den Plan.')
          : t(
              'Grenze und Fläche des Bestands werden ersetzt. Alter, Vorrat und Baumarten bleiben, wie der Plan sie ' +
                'nennt. Ein späterer Import der Forsteinrichtung ersetzt auch diese Grenze.',
            )}
      </p>
      {isNew && (
        <>
          {forest.ebenen.map((name, at) =>
            name === '' ? null : <TextField key={name} label={name} maxLength={60} {...text(LEVELS[at]!)} />,
          )}
          <TextField label={t('Nummer')} inputMode="numeric" {...text('nummer')} />
        </>
      )}
      {overlaps && (
        <Checkbox
          label={t('Überlappungen abschneiden: die Nachbarn behalten ihre Grenze')}
          {...flag('zuschneiden')}
        />
      )}
      {details.geaendert && (
        <Checkbox
          label={t('Die heutige Grenze ist jünger als die Aufnahme. Trotzdem ersetzen.')}
          {...flag('gesehen')}
        />
      )}
    </FormDialog>
  )
}

export function RefuseDialog({ details, onClose }: Props) {
  const refuse = useRefuseBorder(String(details.idHQ))
  const { frame, text } = useDialogForm({
    initial: { begruendung: '' },
    check: ({ begruendung }) =>
      unlessFaulty(begruendung.trim(), {
        begruendung: begruendung.trim() === '' ? t('Bitte schreiben Sie, warum.') : undefined,
      }),
    guarded: false,
    faultsFrom: 'sending',
    send: (reason) =>
      refuse.mutateAsync({ vorschlag_id: details.id, version: details.version, begruendung: reason }),
    onSent: () => {
      toast.success(t('Der Vorschlag ist abgelehnt.'))
      onClose()
    },
  })
  return (
    <FormDialog
      {...frame}
      title={t('Vorschlag ablehnen')}
      submitLabel={t('Ablehnen')}
      faultTitle={t('Nicht abgelehnt')}
      onClose={onClose}
    >
      <TextAreaField label={t('Begründung')} required maxLength={2000} {...text('begruendung')} />
    </FormDialog>
  )
}
