// The point editing session as React state.
import { useCallback, useState } from 'react'
import {
  type GeorefSession,
  sessionOf,
  type State,
  type Action,
  advance,
  redo,
  zurueck,
} from '#domain/georef/session.ts'

export interface SessionHandle extends GeorefSession {
  readonly tu: (action: Action, dragKey?: string | null) => void
  readonly zurueck: () => void
  readonly redo: () => void
}

export function useGeorefSession(start: () => State): SessionHandle {
  const [session, setGeorefSession] = useState<GeorefSession>(() => sessionOf(start()))
  return {
    ...session,
    tu: useCallback((action, dragKey = null) => setGeorefSession((now) => advance(now, action, dragKey)), []),
    zurueck: useCallback(() => setGeorefSession(zurueck), []),
    redo: useCallback(() => setGeorefSession(redo), []),
  }
}
