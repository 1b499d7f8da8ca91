// The parts of a draft's form: head, lines, sums and check, texts and terms.
import { type Ref, useMemo } from 'react'
import { Controller } from 'react-hook-form'
import type { Placeholder } from '#domain/placeholders.ts'
import type { TextModuleKind } from '#domain/text-module.ts'
import { messageOf } from '../../record/record-faults.ts'
import type { RecordRow } from '../../record/record-kind.ts'
import { DateField } from '../../ui/DateField.tsx'
import { Card, Notice } from '../../ui/Display.tsx'
import { FieldGrid } from '../../ui/Field.tsx'
import { formatDate } from '../../ui/format.ts'
import { Skeleton } from '../../ui/States.tsx'
import { t } from '../../ui/text.ts'
import { today } from '../../ui/today.ts'
import { BelegCheck } from './BelegCheck.tsx'
import { belegOf } from './beleg-preview.ts'
import { hrefOfFault } from './draft-faults.ts'
import type { DraftFields, DraftRow, DraftSpec, TextForm } from './draft-spec.ts'
import { appendBlock } from './filled-text.ts'
import { LiveNetto } from './LiveSums.tsx'
import { taxedLines } from './place-fields.ts'
import { PositionEditor } from './position/PositionEditor.tsx'
import type { EditorHandle } from './position/use-editor-focus.ts'
import { TextWithModules } from './TextWithModules.tsx'
import type { BelegDraft } from './use-beleg-draft.ts'

interface CardProps<F extends string, Row extends RecordRow<F> & DraftRow> {
  art: DraftSpec<F, Row>
  row: Row
  draft: BelegDraft<F, Row>
}

export function HeadCard<F extends string, Row extends RecordRow<F> & DraftRow>({
  art,
  row,
  draft: { fields, dayWindow },
}: CardProps<F, Row>) {
  const max = dayWindow && formatDate(dayWindow.max)
  return (
    <Card title={art.docKind.words().head}>
      <FieldGrid>
        <DateField
          {...fields.bind(art.datum)}
          required
          hint={
            dayWindow &&
            max !== undefined &&
            (dayWindow.min === null
              ? t('bis {max}', { max })
              : t('{min} bis {max}', { min: formatDate(dayWindow.min), max }))
          }
        />
        {art.kopf(fields, row)}
      </FieldGrid>
    </Card>
  )
}

export function LinesCard<F extends string, Row extends RecordRow<F> & DraftRow>({
  ref,
  draft: { form, store, sumsHead, said },
}: {
  ref: Ref<EditorHandle>
  draft: BelegDraft<F, Row>
}) {
  // Memoized like everything the editor gets: it re-renders only for its own lines.
  const foot = useMemo(() => <LiveNetto store={store} />, [store])
  return (
    <Card title={t('Positionen')}>
      <Controller
        control={form.control}
        name="positionen"
        render={({ field, fieldState }) => (
          <div className="stack">
            <PositionEditor
              ref={ref}
              value={field.value ?? ''}
              onChange={field.onChange}
              kopf={sumsHead}
              said={said}
              onLive={store.set}
              foot={foot}
            />
            {fieldState.error && <p className="field-error">{fieldState.error.message}</p>}
          </div>
        )}
      />
    </Card>
  )
}

export function CheckCard<F extends string, Row extends RecordRow<F> & DraftRow>({
  art: { defs, otherNames, datum },
  row: { client_id },
  draft: { base, found, faults, editor, fields, form, werte, store },
  onJump,
}: CardProps<F, Row> & { onJump: (field: string) => void }) {
  const setTax = () => {
    if (base.data === undefined) return
    const beleg = belegOf(base.data, werte, store.get()?.zeilen ?? [])
    fields.set('positionen' as F, taxedLines(form.getValues('positionen') ?? '', beleg))
  }
  return (
    <Card title={t('Prüfung vor dem Ausstellen')}>
      {base.isError ? (
        <Notice tone="danger">{messageOf(base.error)}</Notice>
      ) : found === null ? (
        <Skeleton lines={2} />
      ) : (
        <BelegCheck
          faults={faults}
          hrefOf={(field) => hrefOfFault(field, { defs, otherNames, client_id })}
          onJump={onJump}
          onToday={() => fields.set(datum, formatDate(today()))}
          onTax={setTax}
        />
      )}
      {editor.form.formState.isDirty && (
        <p className="soft">{t('„Ausstellen“ speichert den Entwurf zuerst.')}</p>
      )}
    </Card>
  )
}

export function TextsCard<F extends string, Row extends RecordRow<F> & DraftRow>({
  art: { datum },
  row,
  draft: { fields, wert, base },
}: CardProps<F, Row>) {
  const placeholders = (): Partial<Record<Placeholder, string>> => ({
    name: row.kunde,
    datum: formatDate(String(wert(datum) ?? '')),
    ...(base.data?.faellig && { faellig: formatDate(base.data.faellig) }),
  })
  const shared = { fields, platzhalter: placeholders }
  return (
    <Card title={t('Texte')}>
      <div className="stack">
        <DraftText {...shared} field={'anrede' as F} art="anrede" rows={2} />
        <DraftText {...shared} field={'anschreiben' as F} art="anschreiben" rows={5} />
        <DraftText {...shared} field={'zuerl' as F} art="zuerl" rows={5} />
      </div>
    </Card>
  )
}

function DraftText<F extends string>({
  fields,
  field,
  ...area
}: {
  fields: DraftFields<F>
  field: F
  art: TextModuleKind
  rows: number
  platzhalter: () => Partial<Record<Placeholder, string>>
}) {
  const form = fields.form as unknown as TextForm
  return (
    <TextWithModules
      {...fields.bind(field)}
      {...area}
      onInsert={(block) => {
        fields.set(field, appendBlock(form.getValues(field), block))
        form.setFocus(field)
      }}
    />
  )
}
