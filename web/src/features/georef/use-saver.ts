// Saves points: unsaved changes, their draft, saving, and a conflict with somebody else's save.
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import type { Evaluation } from '#domain/georef/evaluation.ts'
import { savedOf, type State } from '#domain/georef/session.ts'
import { type DraftKeeper, useDraft } from '../../record/drafts.ts'
import { messageOf } from '../../record/record-faults.ts'
import { t } from '../../ui/text.ts'
import { toast } from '../../ui/toasts.ts'
import { useUnsavedChanges } from '../../ui/unsaved.ts'
import { labelOf } from './outputs.ts'
import { type Draft, startOf } from './georef-start.ts'
import { fetchGeoref, georefKey, type GeorefRecord, OTHER_PLAN_DATA, savePoints } from './georef.data.ts'

export interface Saver {
  readonly dirty: boolean
  readonly saving: boolean
  readonly fault: string | null
  readonly draft: DraftKeeper<Draft>
  readonly conflict: GeorefRecord | null
  readonly save: (version?: number) => Promise<void>
  /** Their version becomes the saved one. */
  readonly takeTheirs: (theirs: GeorefRecord) => void
  readonly closeConflict: () => void
}

export function useSaver(
  { karte, punkte }: GeorefRecord,
  stand: State,
  evaluation: Evaluation,
  bash: () => string | null,
): Saver {
  const client = useQueryClient()
  const id = String(karte.id)
  const [basis, setBasis] = useState(() => ({
    version: karte.version,
    text: savedOf(startOf({ karte, punkte })),
    stored: savedOf(startOf({ karte, punkte })),
  }))
  const [saving, setSaving] = useState(false)
  const [fault, setFault] = useState<string | null>(null)
  const [conflict, setConflict] = useState<GeorefRecord | null>(null)
  const text = useMemo(() => savedOf(stand), [stand])
  const dirty = text !== basis.text
  const disarm = useUnsavedChanges(dirty || stand.half !== null)
  const draft = useDraft<Draft>(`georef/${id}`, basis.version)
  const { keep, clear, settle } = draft
  useEffect(() => keep({ stand: text }, { stand: basis.text }), [keep, text, basis.text])

  async function save(version = basis.version): Promise<void> {
    if (saving) return
    setSaving(true)
    setFault(null)
    const label = stand.label ?? labelOf(stand.typ)
    const send = (over: number) =>
      savePoints(karte.id, over, stand, evaluation.rest, {
        epsg: stand.epsg,
        georef_typ: stand.typ,
        georef_label: label,
        res: stand.res,
        georef_bash: bash(),
      })
    try {
      let answer = await send(version)
      // Rectifying, or a change of the plan's other attributes, counts its version up too.
      if (typeof answer !== 'number' && savedOf(startOf(answer.present)) === basis.stored)
        answer = await send(answer.present.karte.version)
      if (typeof answer !== 'number') {
        setConflict(answer.present)
        return
      }
      setConflict(null)
      setBasis({ version: answer, text, stored: savedOf({ ...stand, label }) })
      clear()
      settle()
      if (stand.half === null) disarm()
      toast.success(t('Gespeichert.'))
      // Refresh lists, the plan's page and its earlier versions; this page keeps its current points.
      await client.invalidateQueries(OTHER_PLAN_DATA)
      client.setQueryData(georefKey(id), await fetchGeoref(id))
    } catch (error) {
      setFault(messageOf(error))
    } finally {
      setSaving(false)
    }
  }
  return {
    dirty,
    saving,
    fault,
    draft,
    conflict,
    save,
    takeTheirs: (theirs) => {
      const stored = savedOf(startOf(theirs))
      setBasis({ version: theirs.karte.version, text: stored, stored })
      setConflict(null)
    },
    closeConflict: () => setConflict(null),
  }
}
