// A sign of the map beside its name.
import type { Objektart, VermessenWort } from '#contract/kataster-kachel.ts'
import { ECKEN, FARBEN, LINIE, RAND, STRICH } from './zeichen.ts'

export function Legendenzeichen({ art, wort }: { art: Objektart; wort: VermessenWort }) {
  if (art === 'draenage')
    return (
      <svg className="legendenzeichen" viewBox="0 0 32 18" width="32" height="18" aria-hidden="true">
        <line x1="1" x2="31" y1="9" y2="9" stroke={RAND} strokeWidth={LINIE + 2.5} />
        <line x1="1" x2="31" y1="9" y2="9" stroke={FARBEN[wort]} strokeWidth={LINIE} strokeDasharray={STRICH[wort].join(' ')} />
      </svg>
    )
  const look = {
    fill: wort === 'ja' ? FARBEN.ja : RAND,
    stroke: wort === 'ja' ? RAND : FARBEN[wort],
    strokeWidth: wort === 'ja' ? 1.5 : 2.5,
  }
  const corners = ECKEN[art]
  return (
    <svg className="legendenzeichen" viewBox="0 0 32 18" width="32" height="18" aria-hidden="true">
      {corners === 'kreis' ? (
        <circle cx="16" cy="9" r="6" {...look} />
      ) : (
        <polygon points={corners.map(([x, y]) => `${16 + x * 6.5},${9 + y * 6.5}`).join(' ')} {...look} />
      )}
    </svg>
  )
}
