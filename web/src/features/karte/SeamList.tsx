// The seams between neighbouring sheets: how far apart the drawings are, with a picture of both, and where to
// correct.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { KarteSeam } from '#contract/karte-mosaic.ts'
import { messageOf } from '../../record/record-faults.ts'
import { Button } from '../../ui/Button.tsx'
import { Badge } from '../../ui/Display.tsx'
import { t } from '../../ui/text.ts'
import { seamQuery } from './merge.data.ts'
import type { SheetPair } from './merge-sheets.ts'
import { alongText, doubtText, fits, isGood, offsetText, seamTone, trustText } from './merge-words.ts'

interface Props {
  pairs: readonly SheetPair[]
  /** The number that a sheet has on the map. */
  numberOf: (karte: number) => number
  onMark: (karten: readonly number[]) => void
}

export const SeamList = ({ pairs, numberOf, onMark }: Props) => (
  <ul className="karte-naehte" aria-label={t('Nähte')}>
    {pairs.map((pair) => (
      // Marks both on the map, by pointer and by focus alike; there is nothing to do with it.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
      <li
        key={`${pair.first.karte_id} ${pair.second.karte_id}`}
        onPointerEnter={() => onMark([pair.first.karte_id, pair.second.karte_id])}
        onPointerLeave={() => onMark([])}
        onFocus={() => onMark([pair.first.karte_id, pair.second.karte_id])}
        onBlur={() => onMark([])}
      >
        <p>
          <strong>{t('{a} und {b}', { a: pair.first.map_name, b: pair.second.map_name })}</strong>{' '}
          <span className="soft nums">
            {t('(Blatt {a} und {b})', {
              a: numberOf(pair.first.karte_id),
              b: numberOf(pair.second.karte_id),
            })}
          </span>
        </p>
        <Seam pair={pair} />
      </li>
    ))}
  </ul>
)

function Seam({ pair }: { pair: SheetPair }) {
  const overlaps = pair.neighbourhood.art === 'ueberlappt'
  const query = useQuery({ ...seamQuery(pair.first, pair.second), enabled: overlaps })
  if (!overlaps)
    return <Found pair={pair} seam={{ art: 'unsicher', grund: 'ohne_ueberlappung', bild: null }} />
  if (query.isError)
    return (
      <p className="karte-naht">
        <Badge tone="neutral">{t('nicht gemessen')}</Badge> {messageOf(query.error)}{' '}
        <Button size="small" icon="refresh" onClick={() => void query.refetch()}>
          {t('Erneut messen')}
        </Button>
      </p>
    )
  if (query.data === undefined) return <p className="soft">{t('Die Naht wird gemessen …')}</p>
  return <Found pair={pair} seam={query.data} />
}

function Found({ pair, seam }: { pair: SheetPair; seam: KarteSeam }) {
  const { first, second } = pair
  const along = seam.art === 'gemessen' ? alongText(seam) : null
  return (
    <>
      <p className="karte-naht">
        <Badge tone={seamTone(seam)}>{seam.art === 'gemessen' ? offsetText(seam) : t('nicht messbar')}</Badge>{' '}
        {seam.art === 'gemessen' ? (
          <span className="soft">
            {!fits(seam) && t('So liegt {b} gegenüber {a}.', { a: first.map_name, b: second.map_name })}{' '}
            {trustText(seam)}
          </span>
        ) : (
          doubtText(seam.grund)
        )}
      </p>
      {along !== null && <p>{along}</p>}
      {seam.art === 'gemessen' && !isGood(seam) && (
        <p>
          {t('Passpunkte nahe der Kante prüfen:')}{' '}
          <a href={`/karten/${first.karte_id}/georef`}>{first.map_name}</a> {t('oder')}{' '}
          <a href={`/karten/${second.karte_id}/georef`}>{second.map_name}</a>
        </p>
      )}
      {seam.bild !== null && <Picture bild={seam.bild} first={first.map_name} second={second.map_name} />}
    </>
  )
}

function Picture({ bild, first, second }: { bild: string; first: string; second: string }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{t('Ausschnitt beider Zeichnungen zeigen')}</summary>
      {isOpen && (
        <figure className="karte-nahtbild">
          <img
            src={`data:image/png;base64,${bild}`}
            alt={t('Ein Stück der Überlappung: {a} rot, {b} blau, beide schwarz', { a: first, b: second })}
          />
          <figcaption className="soft">
            {t('Rot: {a}. Blau: {b}. Schwarz: auf beiden an derselben Stelle.', { a: first, b: second })}
          </figcaption>
        </figure>
      )}
    </details>
  )
}
