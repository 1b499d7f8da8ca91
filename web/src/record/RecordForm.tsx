// The frame of a record form: the save bar, which stays visible while there is something to save, with the
// faults that concern no single field.
import { type ReactNode, useRef } from 'react'
import type { FieldValues } from 'react-hook-form'
import { Button } from '../ui/Button.tsx'
import { Notice } from '../ui/Display.tsx'
import { Actions } from '../ui/Page.tsx'
import { t } from '../ui/text.ts'
import { ConflictDialog } from './ConflictDialog.tsx'
import { DraftOffer } from './DraftOffer.tsx'
import './record.css'
import type { RecordRow, RecordValues } from './record-kind.ts'
import { useClearOfBar } from './use-clear-of-bar.ts'
import type { RecordEditor } from './use-record-form.ts'

export function RecordForm<
  F extends string,
  Row extends RecordRow<F>,
  V extends RecordValues<F> & FieldValues,
>({
  editor,
  label,
  children,
}: {
  editor: RecordEditor<F, Row, V>
  /** Accessible name, if a page has more than one form. */
  label?: string
  children: ReactNode
}) {
  const { form, fault, saving, submit, discard } = editor
  const { isDirty, isSubmitting } = form.formState
  const bar = useRef<HTMLDivElement>(null)
  useClearOfBar(bar, fault)
  return (
    <form
      className="record-form"
      aria-label={label}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      {editor.draft && <DraftOffer {...editor.draft} />}
      {children}
      <div ref={bar} className={isDirty ? 'record-save record-save-dirty' : 'record-save'}>
        {fault !== null && (
          <Notice tone="danger" title={t('Nicht gespeichert')}>
            {fault}
          </Notice>
        )}
        <Actions>
          <Button type="submit" variant="primary" busy={saving || isSubmitting} disabled={!isDirty}>
            {t('Speichern')}
          </Button>
          <Button disabled={!isDirty || saving} onClick={discard}>
            {t('Verwerfen')}
          </Button>
          {isDirty && <span className="soft">{t('Nicht gespeicherte Änderungen')}</span>}
        </Actions>
      </div>
    </form>
  )
}

/**
 * The conflict dialog, if there is a conflict. Placed outside of tabs, so that it shows whichever of them is
 * open.
 */
export function RecordConflict<
  F extends string,
  Row extends RecordRow<F>,
  V extends RecordValues<F> & FieldValues,
>({ editor }: { editor: RecordEditor<F, Row, V> }) {
  if (editor.conflict === null) return null
  return (
    <ConflictDialog
      key={editor.conflict.theirs.version}
      kind={editor.kind}
      conflict={editor.conflict}
      saving={editor.saving}
      onResolve={editor.resolve}
      onClose={editor.keepEditing}
    />
  )
}
