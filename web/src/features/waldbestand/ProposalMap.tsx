// The map of one proposed border, with its legend.
import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { BorderProposalDetails } from '#contract/border.ts'
import { BaseMapField } from '../../karte/BaseMapField.tsx'
import { useBaseMap } from '../../karte/base-maps.data.ts'
import { ColorSwatch } from '../../karte/BestandSurface.tsx'
import { KarteSurface } from '../../karte/KarteSurface.tsx'
import type { SurfaceHandle } from '../../karte/Surface.tsx'
import { t } from '../../ui/text.ts'
import { outlinesAround } from './borders.data.ts'
import { COLOURS, type Sign } from './proposal-colours.ts'

export function ProposalMap({ details }: { details: BorderProposalDetails }) {
  const baseMap = useBaseMap()
  const { data: outlines } = useQuery(outlinesAround(details.idHQ))
  const [area, setArea] = useState<SurfaceHandle | null>(null)
  useEffect(() => {
    if (area === null || outlines === undefined) return
    let gone = false
    let end: (() => void) | null = null
    void import('./ol-proposal.ts').then(({ proposalLayer }) => {
      if (!gone) end = proposalLayer(area.map, outlines, details)
    })
    return () => {
      gone = true
      end?.()
    }
  }, [area, outlines, details])
  const legend: readonly (readonly [Sign, string, boolean])[] = [
    ['neu', t('Vorschlag'), true],
    [
      'alt',
      details.stand === 'uebernommen' ? t('Frühere Grenze') : t('Heutige Grenze'),
      details.alt !== null,
    ],
    ['ueberlappung', t('Überlappung mit Nachbarn'), details.ueberlappung !== null],
    ['luecken', t('Lücke'), details.luecken !== null || details.frei !== null],
    ['spur', t('Gegangene Spur'), true],
    ['nachbarn', t('Andere Bestände'), true],
  ]
  return (
    <div className="bestand-karte">
      <div className="bestand-werkzeuge">
        <BaseMapField choice={baseMap} />
      </div>
      <KarteSurface
        label={t('Karte des Vorschlags')}
        className="bestand-ol"
        baseMap={baseMap.gewaehlt}
        wheel="fokus"
        onReady={(made) => {
          setArea(made)
          return undefined
        }}
      />
      <ul className="bestand-legende" aria-label={t('Legende')}>
        {legend.map(
          ([sign, name, shown]) =>
            shown && (
              <li key={sign}>
                <ColorSwatch farbe={COLOURS[sign]} />
                {name}
              </li>
            ),
        )}
      </ul>
    </div>
  )
}
