// The ground in web mercator: a base map where one is configured, and the layers that the page puts on it.
import { useEffect, useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import type { Grundkarte } from '#contract/grundkarte.ts'
import { t } from '../ui/text.ts'
import { grundkarten } from './grundkarten.data.ts'
import { Flaeche, type FlaecheGriff, type FlaecheProps } from './Flaeche.tsx'

interface Props extends FlaecheProps {
  /** Null: none is chosen or configured; own layers lie on plain ground. */
  grundkarte?: Grundkarte | null
  /** What "show all" shows, and the map at first: [west, south, east, north] in web mercator. */
  ausschnitt?: readonly [number, number, number, number] | null
  rad?: 'immer' | 'fokus'
}

export function KartenFlaeche({ grundkarte = null, ausschnitt = null, rad = 'immer', onBereit, fuss, ...rest }: Props) {
  const [flaeche, setFlaeche] = useState<FlaecheGriff | null>(null)
  useEffect(() => flaeche?.grundkarte(grundkarte), [flaeche, grundkarte])
  // A ground that stays empty is told from one that somebody chose to see empty.
  const { data: eingerichtet } = useQuery(grundkarten)
  return (
    <Flaeche
      {...rest}
      fuss={
        <>
          {fuss}
          {grundkarte !== null && <span className="flaeche-quelle">{grundkarte.namensnennung}</span>}
          {eingerichtet?.length === 0 && <span>{t('Keine Hintergrundkarte eingerichtet')}</span>}
        </>
      }
      onBereit={(made) => {
        setFlaeche(made)
        return onBereit?.(made)
      }}
      make={(ol, target) => ol.makeKartenFlaeche(target, ausschnitt === null ? null : [...ausschnitt], { rad })}
    />
  )
}
