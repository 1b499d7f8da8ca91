// The one sync of this page, for whoever works here; screens of the field mode only look at it.
import { useEffect, useState, useSyncExternalStore } from 'react'
import { ownRequests } from '../../data/client.ts'
import { t } from '../../ui/text.ts'
import { type AbgleichLauf, createLauf, type Lauf } from './abgleich-lauf.ts'
import { createWeg } from './abgleich-weg.ts'
import type { FeldDb, Sub } from './feld-db.ts'
import { useFeld } from './feld-kontext.ts'
import { useFeldStand, verbinde, verbindungJetzt } from './feld-stand.ts'
import { beobachte, zaehleWartende } from './schlange.ts'

let hier: { readonly sub: Sub; readonly db: FeldDb; readonly lauf: AbgleichLauf } | null = null

export function abgleichFuer(db: FeldDb, sub: Sub): AbgleichLauf {
  if (hier?.sub === sub && hier.db === db) return hier.lauf
  hier?.lauf.schliesse()
  const weg = createWeg(sub, {
    dataApi: ownRequests.rows('').replace(/\/$/, ''),
    generalApi: ownRequests.address('').replace(/\/$/, ''),
    token: ownRequests.token,
    renew: ownRequests.renew,
  })
  const lauf = createLauf({
    db,
    sub,
    weg,
    jetzt: () => new Date(),
    bereit: () => {
      const verbindung = verbindungJetzt()
      if (verbindung === 'angemeldet') return navigator.onLine ? 'ja' : 'netz'
      return verbindung === 'prueft' || verbindung === 'ohne-netz' ? 'netz' : 'anmeldung'
    },
    suche: () => void verbinde(),
    unerwartet: (error) => {
      console.error('the sync stopped', error)
      return t('Die Übertragung ist an einem unerwarteten Fehler gescheitert. Es ist nichts verloren; sie wird wiederholt.')
    },
  })
  hier = { sub, db, lauf }
  return lauf
}

/** The sync as this page has it. */
export function useAbgleich(): AbgleichLauf & { readonly stand: Lauf } {
  const { db, sub } = useFeld()
  const lauf = abgleichFuer(db, sub)
  const stand = useSyncExternalStore(lauf.subscribe, lauf.lauf)
  return { ...lauf, stand }
}

/** Keeps it going on whatever screen: begins at the start, and with each change of the connection. */
export function useAbgleichImHintergrund(): void {
  const { db, sub } = useFeld()
  const { verbindung } = useFeldStand()
  useEffect(() => abgleichFuer(db, sub).stosseAn(), [db, sub, verbindung])
}

/** How many trees and photos wait. */
export function useWartende(): number {
  const { db, sub } = useFeld()
  const [count, setCount] = useState(0)
  useEffect(() => {
    let gone = false
    const read = () =>
      void zaehleWartende(db, sub).then(
        ({ baeume, bilder }) => !gone && setCount(baeume + bilder),
        () => undefined,
      )
    read()
    const stop = beobachte(read)
    return () => {
      gone = true
      stop()
    }
  }, [db, sub])
  return count
}
