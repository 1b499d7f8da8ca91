// The fields of a tree for one-handed use on a phone: large choices first, rare fields folded away. Every
// change is stored on the device.
import { LEVEL_FIELDS, TREE_INPUTS, type TreeField } from '#domain/habitatbaum-fields.ts'
import { useEffect, useState } from 'react'
import { type UseFormReturn, useWatch } from 'react-hook-form'
import type { HabitatSpecies } from '#domain/habitat/species.ts'
import type { TreeFormValues } from '../../record/habitat/habitat-form.ts'
import {
  kindText,
  fieldLabel,
  MARKS,
  markName,
  STATUSES,
  statusName,
  STATES,
  stateName,
} from '../../record/habitat/habitat-words.ts'
import { withStructure, structuresOf, structureName } from '../../record/habitat/structures-text.ts'
import { StructureInput, TreeInput, type TreeInputProps } from '../../record/habitat/TreeInput.tsx'
import { formatDate } from '../../ui/format.ts'
import { t } from '../../ui/text.ts'
import { today } from '../../ui/today.ts'
import type { FieldworkPacket } from './fieldwork-db.ts'
import { useFieldwork } from './fieldwork-context.ts'
import { LocationPart } from './LocationPart.tsx'
import { fetchTreeViews } from './queue-read.ts'
import { commonSpecies, commonStructures } from './suggestions.ts'
import { MultiPicker, Picker } from './Picker.tsx'

interface Props {
  form: UseFormReturn<TreeFormValues>
  packet: FieldworkPacket
  neu: boolean
  /** Between place and species, because photos are taken first. */
  fotos?: React.ReactNode
}
const options = <T extends string>(list: readonly T[], name: (value: T) => string) =>
  list.map((value) => ({ value, label: name(value) }))

export function TreeForm({ form, packet, neu, fotos }: Props) {
  const suggestions = useSuggestions(packet)
  const fields = fieldsOf(form, packet)
  return (
    <>
      <LocationPart form={form} packet={packet} automatic={neu && form.getValues('lat') === ''} />
      {fotos}
      <TreePart form={form} fields={fields} species={suggestions.arten} />
      <StructurePart form={form} fields={fields} structures={suggestions.strukturen} />
      <MarkPart form={form} fields={fields} />
      <section className="erf-teil" aria-label={fieldLabel('bemerkung')}>
        {fields.input('bemerkung', { rows: 2 })}
      </section>
      <RarePart form={form} fields={fields} packet={packet} />
    </>
  )
}

/** Ties an input to its field, and sets a field that has no input. */
const fieldsOf = (form: Props['form'], { ebenen }: FieldworkPacket) => ({
  /** Without hints: they take the place of the next field. */
  input: (column: TreeField, own: TreeInputProps['own'] = {}) => (
    <TreeInput key={column} form={form} column={column} levels={ebenen} own={{ hint: undefined, ...own }} />
  ),
  put: (field: TreeField, value: string) =>
    form.setValue(field, value as never, {
      shouldDirty: true,
      shouldTouch: true,
      shouldValidate: form.formState.isSubmitted,
    }),
})
interface PartProps {
  form: Props['form']
  fields: ReturnType<typeof fieldsOf>
}

function TreePart({
  form: { control, formState },
  fields: { input, put },
  species,
}: PartProps & { species: readonly HabitatSpecies[] }) {
  const [art, state, status] = useWatch({ control, name: ['art', 'zustand', 'status'] })
  return (
    <section className="erf-teil" aria-label={t('Baum')}>
      <Picker<HabitatSpecies>
        label={fieldLabel('art')}
        value={art}
        options={species.map((code) => ({ value: code, label: kindText(code, null) }))}
        onChange={(value) => put('art', value)}
      />
      {input('art', { label: t('Andere Baumart'), required: false })}
      {art === 'sonstige' && input('art_text', { required: true })}
      <div className="erf-zwei">
        {input('bhd_cm', { enterKeyHint: 'done', className: 'erf-zahl' })}
        {input('nummer', { enterKeyHint: 'done' })}
      </div>
      <Picker
        label={fieldLabel('zustand')}
        value={state}
        options={options(STATES, stateName)}
        error={formState.errors.zustand?.message}
        onChange={(value) => put('zustand', value)}
      />
      <Picker
        label={fieldLabel('status')}
        value={status}
        options={options(STATUSES, statusName)}
        error={formState.errors.status?.message}
        onChange={(value) => put('status', value)}
      />
    </section>
  )
}

function StructurePart({ form, fields: { put }, structures }: PartProps & { structures: readonly string[] }) {
  const { control, getValues } = form
  const chosen = useWatch({ control, name: 'strukturen' })
  return (
    <section className="erf-teil" aria-label={fieldLabel('strukturen')}>
      <MultiPicker
        label={fieldLabel('strukturen')}
        options={structures.map((code) => ({ value: code, label: structureName(code) }))}
        gewaehlt={structuresOf(chosen).map(({ code }) => code)}
        onChange={(code, isThere) => put('strukturen', withStructure(getValues('strukturen'), code, isThere))}
      />
      <details className="erf-mehrdazu">
        <summary>{t('Alle Strukturen und Anzahl')}</summary>
        <StructureInput form={form} />
      </details>
    </section>
  )
}

function MarkPart({ form: { control, formState, getValues }, fields: { input, put } }: PartProps) {
  const mark = useWatch({ control, name: 'markierung_art' })
  return (
    <section className="erf-teil" aria-label={fieldLabel('markierung_art')}>
      <Picker
        label={fieldLabel('markierung_art')}
        value={mark}
        options={[{ value: '', label: t('nicht markiert') }, ...options(MARKS, markName)]}
        error={formState.errors.markierung_art?.message}
        onChange={(value) => {
          put('markierung_art', value)
          // Marking implies today's date, unless one is set.
          if (value === '') put('markierung_datum', '')
          else if (getValues('markierung_datum') === '') put('markierung_datum', formatDate(today()))
        }}
      />
      {(mark !== '' || formState.errors.markierung_datum) && input('markierung_datum')}
    </section>
  )
}

/** Folded away, unless one of its fields has a fault. */
/** Fields that have their own place, here, in the location or when a tree is lost. */
const PLACED: readonly TreeField[] = [
  'art',
  'art_text',
  'nummer',
  'bhd_cm',
  'hoehe_m',
  'zustand',
  'status',
  'strukturen',
  'markierung_art',
  'markierung_datum',
  'lat',
  'lon',
  'genauigkeit_m',
  'lage_zeit',
  'lage_fix',
  'genauigkeit_geschaetzt',
  'iSTAND',
  'bemerkung',
  'verlust_datum',
  'verlust_grund',
  ...LEVEL_FIELDS,
]
const RARE = TREE_INPUTS.filter((column) => !PLACED.includes(column))

/** Folded away, unless one of its fields has a fault. */
function RarePart({ form, fields: { input }, packet }: PartProps & { packet: FieldworkPacket }) {
  const { errors } = form.formState
  const levels = LEVEL_FIELDS.filter((field, at) => packet.ebenen[at] !== '' || form.getValues(field) !== '')
  const all: readonly TreeField[] = ['hoehe_m', 'iSTAND', ...LEVEL_FIELDS, ...RARE]
  return (
    <details className="erf-teil erf-mehrdazu" open={all.some((field) => errors[field]) || undefined}>
      <summary>{t('Weitere Angaben')}</summary>
      <div className="erf-zwei">
        {input('hoehe_m')}
        {input('iSTAND')}
      </div>
      {levels.map((field) => input(field))}
      {RARE.map((field) => input(field))}
    </details>
  )
}

function useSuggestions({ idHQ }: FieldworkPacket): {
  arten: readonly HabitatSpecies[]
  strukturen: readonly string[]
} {
  const { db, sub } = useFieldwork()
  const [found, setFound] = useState(() => ({ arten: commonSpecies([]), strukturen: commonStructures([]) }))
  useEffect(() => {
    let gone = false
    void fetchTreeViews(db, sub, idHQ).then(
      // Read once, because choices that move under the thumb get mistapped.
      (views) =>
        !gone &&
        views.length > 0 &&
        setFound({ arten: commonSpecies(views), strukturen: commonStructures(views) }),
      () => undefined,
    )
    return () => {
      gone = true
    }
  }, [db, sub, idHQ])
  return found
}
