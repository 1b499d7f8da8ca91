// Inputs of a tree in groups, used by the forms for an existing and for a new tree.
import type { ClipboardEvent } from 'react'
import { useWatch, type UseFormReturn } from 'react-hook-form'
import { parseLocation } from '#domain/habitat/location-text.ts'
import {
  LEVEL_FIELDS,
  type TreeField,
  type TreeGroup,
  treeField,
  treeInputsOf,
} from '#domain/habitatbaum-fields.ts'
import type { Betrieb } from '../../list/betrieb.data.ts'
import { showValue, type TreeFormValues } from '../../record/habitat/habitat-form.ts'
import { fieldLabel } from '../../record/habitat/habitat-words.ts'
import { degreesText } from '../../record/habitat/tree-values.ts'
import { TreeInput, type TreeInputProps } from '../../record/habitat/TreeInput.tsx'
import { FieldGroup } from '../../ui/Field.tsx'
import { Skeleton } from '../../ui/States.tsx'
import { splitOff } from '../../ui/split-off.tsx'
import { t } from '../../ui/text.ts'
import { toast } from '../../ui/toasts.ts'

const LocationField = splitOff(
  async () => (await import('./LocationField.tsx')).LocationField,
  <Skeleton lines={6} />,
)

interface Props {
  form: UseFormReturn<TreeFormValues>
  betrieb: Pick<Betrieb, 'idHQ' | 'ebenen' | 'sHQ'>
}

/** `neu`: a new tree cannot be lost yet. */
export function TreeFields({ form, betrieb, neu = false }: Props & { neu?: boolean }) {
  const parts = { form, betrieb }
  return (
    <>
      <FieldGroup title={t('Baum')}>
        <Inputs {...parts} of="tree" />
      </FieldGroup>
      <FieldGroup
        title={fieldLabel('strukturen')}
        hint={t('Was der Baum Tieren, Pilzen und Pflanzen bietet. Die Größe in Klammern gilt als Schwelle.')}
      >
        <Inputs {...parts} of="structures" />
      </FieldGroup>
      <FieldGroup title={fieldLabel('markierung_art')}>
        <Inputs {...parts} of="mark" />
      </FieldGroup>
      <FieldGroup
        title={t('Lage')}
        hint={t('In Grad (WGS 84), in Metern unter der Karte, oder ein Klick auf die Karte.')}
      >
        <Inputs {...parts} of="place" />
        <Solution form={form} />
        <div className="habitat-breit">
          <LocationField form={form} betrieb={betrieb} />
        </div>
      </FieldGroup>
      <FieldGroup title={t('Forstliche Adresse')}>
        <Inputs {...parts} of="address" />
      </FieldGroup>
      <FieldGroup title={t('Erfassung')}>
        <Inputs {...parts} of="capture" />
        <Inputs {...parts} of="remark" />
      </FieldGroup>
      {!neu && (
        <FieldGroup
          title={t('Verlust')}
          hint={t('Ein verlorener Baum bleibt als Nachweis erhalten und zählt nicht mehr.')}
        >
          {/* The reason first: whether the tree is lost is chosen there. */}
          <Inputs {...parts} of="loss" reversed />
        </FieldGroup>
      )}
    </>
  )
}

/** What the receiver said of the place, as long as it is the receiver's. */
function Solution({ form }: Pick<Props, 'form'>) {
  const [fix, estimated, method] = useWatch({
    control: form.control,
    name: ['lage_fix', 'genauigkeit_geschaetzt', 'lage_methode'],
  })
  if (fix === '' || (method !== 'gnss' && method !== 'rtk')) return null
  return (
    <p className="habitat-breit soft">
      {fieldLabel('lage_fix')}: {showValue('lage_fix', fix)}
      {estimated && `, ${fieldLabel('genauigkeit_geschaetzt')}`}
    </p>
  )
}

/** The inputs of a group that apply to this tree. */
function Inputs({ form, betrieb, of, reversed = false }: Props & { of: TreeGroup; reversed?: boolean }) {
  const [art, marking] = useWatch({ control: form.control, name: ['art', 'markierung_art'] })
  const applies = (column: TreeField): boolean => {
    const level = LEVEL_FIELDS.findIndex((one) => one === column)
    if (level >= 0) return betrieb.ebenen[level] !== '' || form.getValues(column) !== ''
    // A receiver's own words, which nobody types.
    if (column === 'lage_zeit' || column === 'lage_fix' || column === 'genauigkeit_geschaetzt') return false
    if (column === 'art_text') return art === 'sonstige'
    if (column === 'markierung_datum')
      return marking !== '' || form.formState.errors.markierung_datum !== undefined
    return true
  }
  const columns = treeInputsOf(of).filter(applies)
  return (reversed ? columns.toReversed() : columns).map((column) => {
    const input = (
      <TreeInput key={column} form={form} column={column} levels={betrieb.ebenen} own={ownOf(column, form)} />
    )
    return treeField(column).wide ? (
      <div key={column} className="habitat-breit">
        {input}
      </div>
    ) : (
      input
    )
  })
}
function ownOf(column: TreeField, form: Props['form']): NonNullable<TreeInputProps['own']> {
  // Shown only where it must be filled in.
  if (column === 'art_text') return { required: true }
  return column === 'lat' || column === 'lon' ? { onPaste: (event) => pastePlace(event, form) } : {}
}

/** Takes both degrees at once, as copied; metres with a named system are converted. */
function pastePlace(event: ClipboardEvent, form: Props['form']): void {
  const situation = parseLocation(event.clipboardData.getData('text'), 0)
  if (situation === null) return
  event.preventDefault()
  const set = (field: 'lat' | 'lon', grad: number) =>
    form.setValue(field, degreesText(grad), { shouldDirty: true, shouldTouch: true, shouldValidate: true })
  void Promise.all([
    import('./location-metres.ts'),
    import('../../karte/converter.ts').then(({ loadConverter }) => loadConverter()),
  ]).then(
    ([{ placeOf }, convert]) => {
      const ort = placeOf(convert, situation)
      if (ort === null) return toast.error(t('Dieser Ort liegt nicht in Mitteleuropa.'))
      set('lat', ort.lat)
      set('lon', ort.lon)
    },
    () => toast.error(t('Die Umrechnung konnte nicht geladen werden. Bitte geben Sie die Lage in Grad ein.')),
  )
}
