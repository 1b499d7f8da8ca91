// Trees of the open pack with pending changes applied. Kept between screens and reread when something
// changes.
import { useEffect, useState } from 'react'
import { type TreePoint, pointOf } from './tree-point.ts'
import type { FieldworkPacket } from './fieldwork-db.ts'
import { useFieldwork } from './fieldwork-context.ts'
import { watch } from './queue-watch.ts'
import { fetchTreeViews } from './queue-read.ts'

let latest: { readonly key: string; readonly punkte: readonly TreePoint[] } | null = null
const NONE: readonly TreePoint[] = []

export function useTreePoints({ sub, idHQ, geholt_am }: FieldworkPacket): readonly TreePoint[] {
  const { db } = useFieldwork()
  const key = `${sub} ${idHQ}`
  const [points, setPoints] = useState(latest?.key === key ? latest.punkte : NONE)
  useEffect(() => {
    let gone = false
    const read = async () => {
      const made = (await fetchTreeViews(db, sub, idHQ)).map(pointOf)
      if (gone) return
      latest = { key, punkte: made }
      setPoints(made)
    }
    const again = () =>
      void read().catch((error: unknown) =>
        console.error('the trees on this device could not be read', error),
      )
    again()
    const stop = watch(again)
    return () => {
      gone = true
      stop()
    }
    // A newly saved pack has other trees.
  }, [db, sub, idHQ, key, geholt_am])
  return points
}
