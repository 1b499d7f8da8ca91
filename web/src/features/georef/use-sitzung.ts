// The session of points on the page.
import { useCallback, useState } from 'react'
import { type Sitzung, sitzungOf, type Stand, type Tat, weiter, wieder, zurueck } from '#domain/georef/sitzung.ts'

export interface SitzungGriff extends Sitzung {
  readonly tu: (tat: Tat, zug?: string | null) => void
  readonly zurueck: () => void
  readonly wieder: () => void
}

export function useSitzung(start: () => Stand): SitzungGriff {
  const [sitzung, setSitzung] = useState<Sitzung>(() => sitzungOf(start()))
  return {
    ...sitzung,
    tu: useCallback((tat, zug = null) => setSitzung((now) => weiter(now, tat, zug)), []),
    zurueck: useCallback(() => setSitzung(zurueck), []),
    wieder: useCallback(() => setSitzung(wieder), []),
  }
}
