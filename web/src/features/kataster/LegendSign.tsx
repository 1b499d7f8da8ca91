// A map symbol for the legend.
import type { ObjectKind, SurveyedWord } from '#contract/kataster-tile.ts'
import { CORNERS, COLOURS, LINE_WIDTH, EDGE, DASH } from './signs.ts'

export function LegendSign({ art, wort }: { art: ObjectKind; wort: SurveyedWord }) {
  if (art === 'draenage')
    return (
      <svg className="legendenzeichen" viewBox="0 0 32 18" width="32" height="18" aria-hidden="true">
        <line x1="1" x2="31" y1="9" y2="9" stroke={EDGE} strokeWidth={LINE_WIDTH + 2.5} />
        <line
          x1="1"
          x2="31"
          y1="9"
          y2="9"
          stroke={COLOURS[wort]}
          strokeWidth={LINE_WIDTH}
          strokeDasharray={DASH[wort].join(' ')}
        />
      </svg>
    )
  const look = {
    fill: wort === 'ja' ? COLOURS.ja : EDGE,
    stroke: wort === 'ja' ? EDGE : COLOURS[wort],
    strokeWidth: wort === 'ja' ? 1.5 : 2.5,
  }
  const corners = CORNERS[art]
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
