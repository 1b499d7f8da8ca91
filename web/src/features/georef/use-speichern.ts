// Points on their way to the record: what is not saved, the draft of it, saving, and another's save that came first.
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import type { Auswertung } from '#domain/georef/auswertung.ts'
import { gespeichertes, type Stand } from '#domain/georef/sitzung.ts'
import { type DraftKeeper, useDraft } from '../../record/drafts.ts'
import { messageOf } from '../../record/record-faults.ts'
import { t } from '../../ui/text.ts'
import { toast } from '../../ui/toasts.ts'
import { useUnsavedChanges } from '../../ui/unsaved.ts'
import { labelOf } from './ausgaben.ts'
import { type Entwurf, startOf } from './georef-start.ts'
import { fetchGeoref, type GeorefRecord, savePunkte, standKey } from './georef.data.ts'

export interface Speichern {
  readonly dirty: boolean
  readonly saving: boolean
  readonly fault: string | null
  readonly draft: DraftKeeper<Entwurf>
  readonly konflikt: GeorefRecord | null
  readonly speichern: (version?: number) => Promise<void>
  /** Theirs is what is saved from now on. */
  readonly nimmIhres: (theirs: GeorefRecord) => void
  readonly schliesseKonflikt: () => void
}

export function useSpeichern({ karte, punkte }: GeorefRecord, stand: Stand, auswertung: Auswertung, bash: () => string | null): Speichern {
  const client = useQueryClient()
  const id = String(karte.id)
  const [basis, setBasis] = useState(() => ({ version: karte.version, text: gespeichertes(startOf({ karte, punkte })) }))
  const [saving, setSaving] = useState(false)
  const [fault, setFault] = useState<string | null>(null)
  const [konflikt, setKonflikt] = useState<GeorefRecord | null>(null)
  const text = useMemo(() => gespeichertes(stand), [stand])
  const dirty = text !== basis.text
  const disarm = useUnsavedChanges(dirty || stand.halb !== null)
  const draft = useDraft<Entwurf>(`georef/${id}`, basis.version)
  const { keep, clear, settle } = draft
  useEffect(() => keep({ stand: text }, { stand: basis.text }), [keep, text, basis.text])

  async function speichern(version = basis.version): Promise<void> {
    if (saving) return
    setSaving(true)
    setFault(null)
    try {
      const answer = await savePunkte(karte.id, version, stand, auswertung.rest, {
        epsg: stand.epsg,
        georef_typ: stand.typ,
        georef_label: stand.label ?? labelOf(stand.typ),
        res: stand.res,
        georef_bash: bash(),
      })
      if (typeof answer !== 'number') {
        setKonflikt(answer.jetzt)
        return
      }
      setKonflikt(null)
      setBasis({ version: answer, text })
      clear()
      settle()
      if (stand.halb === null) disarm()
      toast.success(t('Gespeichert.'))
      // Lists, the plan's own page and its earlier states show it; this page goes on with what is in hand.
      await client.invalidateQueries({
        predicate: ({ queryKey }) => String(queryKey[0]).startsWith('karte') && queryKey.at(-1) !== 'georef',
      })
      client.setQueryData(standKey(id), await fetchGeoref(id))
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
    konflikt,
    speichern,
    nimmIhres: (theirs) => {
      setBasis({ version: theirs.karte.version, text: gespeichertes(startOf(theirs)) })
      setKonflikt(null)
    },
    schliesseKonflikt: () => setKonflikt(null),
  }
}
