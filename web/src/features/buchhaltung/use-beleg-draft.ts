// The state of a draft: its form, the document as typed, and what the check found in it.
import { useQuery } from '@tanstack/react-query'
import { useCallback, useMemo, useState } from 'react'
import { useWatch } from 'react-hook-form'
import type { Beleg } from '#domain/beleg.ts'
import type { BelegFault } from '#domain/beleg-fault.ts'
import type { RecordRow } from '../../record/record-kind.ts'
import { useRecordForm } from '../../record/use-record-form.ts'
import { dayWindowQuery, previewQuery } from './beleg.data.ts'
import { lineTexts } from './draft-faults.ts'
import { fieldFault, fieldValue } from './draft-fields.ts'
import { useSaveDraft } from './draft-save.ts'
import { type DraftRow, type DraftSpec, draftFields, type TextForm } from './draft-spec.ts'
import type { Head } from './position/use-live.ts'
import { liveStore, useBelegCheck } from './use-beleg-check.ts'

const NONE: readonly BelegFault[] = []

/** The fields as typed. Without the lines: they change with every key, and the page must not re-render for that. */
function useTyped<F extends string, Row extends RecordRow<F> & DraftRow>(
  { kind, defs, fieldValuesOf }: DraftSpec<F, Row>,
  row: Row,
  form: TextForm,
) {
  const heads = useMemo(() => kind.fields.filter((field) => field !== 'positionen'), [kind])
  const texts = useWatch({ control: form.control, name: heads as string[] })
  const headText = JSON.stringify(texts)
  const typed = useMemo(
    () => new Map((JSON.parse(headText) as string[]).map((text, at) => [heads[at]!, text])),
    [headText, heads],
  )
  const wert = useCallback(
    (field: F): string | number | null => {
      const text = typed.get(field) ?? ''
      // An invalid value is reported at its field; everything else is computed with the saved value.
      return fieldFault(defs[field].art, text) === null
        ? fieldValue(defs[field].art, text)
        : (row[field] as string | number | null)
    },
    [typed, defs, row],
  )
  return { wert, werte: useMemo(() => fieldValuesOf(wert), [fieldValuesOf, wert]) }
}

export function useBelegDraft<F extends string, Row extends RecordRow<F> & DraftRow>(
  art: DraftSpec<F, Row>,
  row: Row,
) {
  const id = String(row.id)
  const editor = useRecordForm(art.kind, row, useSaveDraft(art.query(id), art.toPayload))
  const form = editor.form as unknown as TextForm
  const base = useQuery({
    ...previewQuery(art.docKind.docKind, id, row.version),
    placeholderData: (before: Beleg | undefined) => before,
  })
  const { wert, werte } = useTyped(art, row, form)
  const [store] = useState(liveStore)
  const dayWindow = useQuery(dayWindowQuery(art.docKind.docKind, id, String(row[art.datum]))).data
  const found = useBelegCheck(base.data, werte, store, dayWindow?.min ?? null)
  const faults = found ?? NONE
  const isSmall = base.data?.lieferant.kleinunternehmer ?? false
  const { rabatt_prozent = '0', ust_satz = '0' } = werte.beleg
  const { anzahlung } = werte
  return {
    editor,
    form,
    fields: draftFields(editor.form, art.defs),
    base,
    dayWindow,
    wert,
    werte,
    store,
    /** Null if not checked yet. */
    found,
    faults,
    said: useMemo(() => lineTexts(faults), [faults]),
    sumsHead: useMemo<Head>(
      () => ({ rabatt_prozent, ust_satz, anzahlung, kleinunternehmer: isSmall }),
      [rabatt_prozent, ust_satz, anzahlung, isSmall],
    ),
  }
}
export type BelegDraft<F extends string, Row extends RecordRow<F> & DraftRow> = ReturnType<
  typeof useBelegDraft<F, Row>
>
