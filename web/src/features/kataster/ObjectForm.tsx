// The form of one survey object: the field table of the field mode in groups, and its place on a map.
import { useEffect, useMemo, useState } from 'react'
import { useWatch } from 'react-hook-form'
import { type DataField, fieldsOf } from '#domain/vermessung/fields.ts'
import { fieldName, lengthText } from '../../record/kataster/kataster-words.ts'
import {
  type ObjectFormValues,
  objectKind,
  type ObjectRow,
  placeOfText,
  SAID_OF_PLACE,
} from './object-form.ts'
import { showPlaces } from './place-text.ts'
import { showSurveyValue } from '../../record/kataster/survey-form.ts'
import { type Parts, placesText } from '../../karte/survey-place.ts'
import { RecordConflict, RecordForm } from '../../record/RecordForm.tsx'
import { type RecordEditor, useRecordForm } from '../../record/use-record-form.ts'
import { Card } from '../../ui/Display.tsx'
import { FieldGrid, FieldGroup, SelectField, TextAreaField, TextField } from '../../ui/Field.tsx'
import { t } from '../../ui/text.ts'
import type { ObjectRecord, ObjectTarget } from './kataster.data.ts'
import { rowOf, useObjectChange } from './object.data.ts'
import { ObjectKarte } from './ObjectKarte.tsx'

interface Props {
  target: ObjectTarget
  record: ObjectRecord
  name: string
}
type Editor = RecordEditor<string, ObjectRow, ObjectFormValues>

const BUILT = ['schluessel', 'art', 'dn', 'material', 'zustand', 'baujahr', 'eigentuemer']
const HEIGHTS = ['hoehe', 'sohlhoehe', 'tiefe', 'gefaelle', 'abstand']
const SOURCE = ['vermessen', 'erfq', 'qdt', 'datum', 'letzte_kontrolle', 'plan_nr']

export function ObjectForm({ target, record, name }: Props) {
  const row = useMemo(() => rowOf(record), [record])
  const kind = useMemo(() => objectKind(target.art, row.lage), [target.art, row.lage])
  const { save } = useObjectChange(target, record)
  const editor = useRecordForm(kind, row, save.mutateAsync)
  const group = (names: readonly string[]) =>
    names.map((one) => (
      <Input key={one} editor={editor} field={fieldsOf(target.art).find((field) => field.name === one)} />
    ))
  return (
    <Card>
      <RecordForm editor={editor}>
        <FieldGroup title={t('Objekt')}>{group(BUILT)}</FieldGroup>
        <FieldGroup title={t('Höhen und Maße')}>{group(HEIGHTS)}</FieldGroup>
        <FieldGroup title={t('Herkunft')}>{group(SOURCE)}</FieldGroup>
        <FieldGroup title={t('Lage')}>
          <Place editor={editor} target={target} record={record} name={name} />
        </FieldGroup>
        <FieldGroup title={t('Bemerkung')}>
          <div className="objekt-breit">{group(['bemerkung'])}</div>
        </FieldGroup>
      </RecordForm>
      <RecordConflict editor={editor} />
    </Card>
  )
}

interface InputProps {
  editor: Pick<Editor, 'form'>
  field: DataField | undefined
}
function Input({ editor: { form }, field }: InputProps) {
  if (field === undefined) return null
  const { name, art, laengste } = field
  const common = {
    label: fieldName(name),
    error: form.formState.errors[name]?.message,
    ...form.register(name),
  }
  if (art === 'ja_nein')
    return (
      <SelectField
        {...common}
        emptyOption={t('ohne Angabe')}
        options={[
          { value: 'ja', label: t('ja') },
          { value: 'nein', label: t('nein') },
        ]}
      />
    )
  const longest = laengste === undefined ? {} : { maxLength: laengste }
  if (name === 'bemerkung') return <TextAreaField {...common} {...longest} rows={3} />
  return (
    <TextField
      {...common}
      {...longest}
      autoComplete="off"
      {...((art === 'zahl' || art === 'ganz') && { inputMode: 'decimal' as const })}
      {...(art === 'tag' && { placeholder: t('TT.MM.JJJJ') })}
    />
  )
}

function Place({ editor: { form }, target: { art }, record, name }: Props & { editor: Editor }) {
  const { control, register, setValue, formState } = form
  const [typed, fix, estimated] = useWatch({ control, name: ['lage', ...SAID_OF_PLACE] })
  const stored = useMemo(() => rowOf(record).lage, [record])
  const parsed = placeOfText(art, typed, stored)
  const isLine = art === 'draenage'
  const [said, setSaid] = useState(0)
  useEffect(() => {
    if (said === 0) return undefined
    const timer = setTimeout(() => setSaid(0), 4_000)
    return () => clearTimeout(timer)
  }, [said])
  /** By hand: what a receiver said of the place before does not hold. */
  const forget = () => {
    for (const field of [...SAID_OF_PLACE, 'genauigkeit_cm']) setValue(field, '', { shouldDirty: true })
  }
  const place = (parts: Parts) => {
    setValue('lage', showPlaces(placesText(parts)), {
      shouldDirty: true,
      shouldTouch: true,
      shouldValidate: true,
    })
    forget()
    setSaid(said + 1)
  }
  const common = {
    error: formState.errors['lage']?.message,
    className: 'nums',
    ...register('lage', { onChange: forget }),
  }
  return (
    <div className="objekt-breit stack">
      <ObjectKarte
        name={name}
        kunde={record.client_id}
        isLine={isLine}
        lage={'lage' in parsed ? parsed.lage : ''}
        onPlace={place}
      />
      {isLine ? (
        <TextAreaField
          {...common}
          rows={6}
          label={t('Punkte der Linie')}
          hint={t('Je Zeile Breite und Länge in Grad (WGS 84); eine leere Zeile trennt Teile.')}
        />
      ) : (
        <TextField {...common} label={t('Breite und Länge in Grad')} hint={t('WGS 84, Breite zuerst.')} />
      )}
      <FieldGrid>
        <Input editor={{ form }} field={fieldsOf(art).find((field) => field.name === 'genauigkeit_cm')} />
      </FieldGrid>
      {record.laenge !== undefined && (
        <p className="soft">
          {t('Leitungslänge')}: {lengthText(record.laenge)}
        </p>
      )}
      <p className="soft">
        {fix === ''
          ? t('Die Lage ist von Hand gesetzt, oder ihre GNSS-Lösung ist nicht bekannt.')
          : `${fieldName('lage_fix')}: ${showSurveyValue(art, 'lage_fix', fix)}${
              estimated === 'ja' ? `, ${fieldName('genauigkeit_geschaetzt')}` : ''
            }`}
      </p>
      <output className="visually-hidden">{said > 0 && t('Die Lage ist gesetzt.')}</output>
    </div>
  )
}
