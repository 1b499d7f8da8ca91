// The trees of the open pack as this device has them: saved ones with what waits laid over them. Kept between screens, read anew whenever something changed.
import { useEffect, useState } from 'react'
import { type BaumPunkt, punktOf } from './baum-punkt.ts'
import type { FeldPaket } from './feld-db.ts'
import { useFeld } from './feld-kontext.ts'
import { beobachte, fetchSichten } from './schlange.ts'

let zuletzt: { readonly key: string; readonly punkte: readonly BaumPunkt[] } | null = null
const KEINE: readonly BaumPunkt[] = []

export function useBaumPunkte({ sub, idHQ, geholt_am }: FeldPaket): readonly BaumPunkt[] {
  const { db } = useFeld()
  const key = `${sub} ${idHQ}`
  const [punkte, setPunkte] = useState(zuletzt?.key === key ? zuletzt.punkte : KEINE)
  useEffect(() => {
    let gone = false
    const read = async () => {
      const made = (await fetchSichten(db, sub, idHQ)).map(punktOf)
      if (gone) return
      zuletzt = { key, punkte: made }
      setPunkte(made)
    }
    const again = () => void read().catch((error: unknown) => console.error('the trees on this device could not be read', error))
    again()
    const stop = beobachte(again)
    return () => {
      gone = true
      stop()
    }
    // A pack that was saved anew has other trees.
  }, [db, sub, idHQ, key, geholt_am])
  return punkte
}
