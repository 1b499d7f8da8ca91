// Something read from this device, and read again whenever the queue changes.
import { useEffect, useEffectEvent, useState } from 'react'
import type { FieldworkDb, Sub } from './fieldwork-db.ts'
import { useFieldwork } from './fieldwork-context.ts'
import { watch } from './queue-watch.ts'

export interface Stored<T> {
  /** Null until it is read. */
  readonly data: T | null
  readonly fehler: unknown
}

/** `key` says what is read, if it depends on more than the person. */
export function useStored<T>(read: (db: FieldworkDb, sub: Sub) => Promise<T>, key = ''): Stored<T> {
  const { db, sub } = useFieldwork()
  const [data, setData] = useState<T | null>(null)
  const [fault, setError] = useState<unknown>(null)
  const now = useEffectEvent(() => read(db, sub))
  useEffect(() => {
    let gone = false
    const again = () =>
      void now().then(
        (found) => !gone && setData(found),
        (error: unknown) => !gone && setError(error),
      )
    again()
    const stop = watch(again)
    return () => {
      gone = true
      stop()
    }
  }, [db, sub, key])
  return { data, fehler: fault }
}
