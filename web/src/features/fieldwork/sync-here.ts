// The page's single sync, for the person working here; screens only observe it.
import { useEffect, useState, useSyncExternalStore } from 'react'
import { ownRequests } from '../../data/client.ts'
import { t } from '../../ui/text.ts'
import { presentTime } from './device-clock.ts'
import { type SyncRunner, createSyncRunner, type Run } from './sync-runner.ts'
import { createTransport } from './sync-transport.ts'
import type { FieldworkDb, Sub } from './fieldwork-db.ts'
import { useFieldwork } from './fieldwork-context.ts'
import { useFieldworkState, connect, currentConnection } from './fieldwork-state.ts'
import { besideHere } from './mark-cookie.ts'
import { noteWaiting } from './storage-mark.ts'
import { watch } from './queue-watch.ts'
import { countWaiting } from './queue-read.ts'

let here: { readonly sub: Sub; readonly db: FieldworkDb; readonly run: SyncRunner } | null = null

export function syncRunnerFor(db: FieldworkDb, sub: Sub): SyncRunner {
  if (here?.sub === sub && here.db === db) return here.run
  here?.run.dispose()
  const transport = createTransport(sub, {
    dataApi: ownRequests.rows('').replace(/\/$/, ''),
    generalApi: ownRequests.address('').replace(/\/$/, ''),
    token: ownRequests.token,
    renew: ownRequests.renew,
  })
  const run = createSyncRunner({
    db,
    sub,
    weg: transport,
    present: presentTime,
    readiness: () => {
      const connection = currentConnection()
      if (connection === 'angemeldet') return navigator.onLine ? 'ja' : 'netz'
      return connection === 'prueft' || connection === 'ohne-netz' ? 'netz' : 'anmeldung'
    },
    suche: () => void connect(),
    unexpectedText: (error) => {
      console.error('the sync stopped', error)
      return t(
        'Die Übertragung ist an einem unerwarteten Fehler gescheitert. Es ist nichts verloren; sie wird wiederholt.',
      )
    },
  })
  here = { sub, db, run }
  return run
}

/** The page's sync and its state. */
export function useSync(): SyncRunner & { readonly stand: Run } {
  const { db, sub } = useFieldwork()
  const run = syncRunnerFor(db, sub)
  const stand = useSyncExternalStore(run.subscribe, run.run)
  return { ...run, stand }
}

/** Keeps the sync running on every screen: starts it on mount and whenever the connection changes. */
export function useBackgroundSync(): void {
  const { db, sub } = useFieldwork()
  const { connection } = useFieldworkState()
  useEffect(() => syncRunnerFor(db, sub).nudge(), [db, sub, connection])
}

/** How many trees and photos are pending. */
export function useWaitingCount(): number {
  const { db, sub } = useFieldwork()
  const [count, setCount] = useState(0)
  useEffect(() => {
    let gone = false
    const read = () =>
      void countWaiting(db, sub).then(
        ({ baeume, bilder }) => {
          if (gone) return
          setCount(baeume + bilder)
          noteWaiting(besideHere(), sub, { am: presentTime().toISOString(), baeume, bilder })
        },
        () => undefined,
      )
    read()
    const stop = watch(read)
    return () => {
      gone = true
      stop()
    }
  }, [db, sub])
  return count
}
