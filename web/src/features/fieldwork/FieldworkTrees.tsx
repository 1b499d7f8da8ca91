// The pack's trees as a list: nearest first if there is a position, else by name.
import { useMemo, useState } from 'react'
import { distanceBetween, bearingOf } from '../../karte/mercator.ts'
import { Button } from '../../ui/Button.tsx'
import { SearchField } from '../../ui/SearchField.tsx'
import { EmptyState } from '../../ui/States.tsx'
import { t } from '../../ui/text.ts'
import { useView } from '../../ui/view.tsx'
import type { FieldworkPacket } from './fieldwork-db.ts'
import { positioningText, usePositioning } from './gnss.ts'
import { TreeContent, wayText } from './NearbyRow.tsx'
import { useTreePoints } from './use-tree-points.ts'

const AT_ONCE = 60

export function FieldworkTrees({ packet }: { packet: FieldworkPacket }) {
  const { search, setSearch } = useView()
  const points = useTreePoints(packet)
  const positioning = usePositioning()
  const { ort } = positioning
  const [displayed, setShown] = useState(AT_ONCE)
  const suche = search['suche'] ?? ''
  const rows = useMemo(() => {
    const words = suche.toLocaleLowerCase('de').split(/\s+/).filter(Boolean)
    const found =
      words.length === 0
        ? points
        : points.filter(({ name }) => words.every((word) => name.toLocaleLowerCase('de').includes(word)))
    const far = found.map((point) => ({ point, meter: ort === null ? null : distanceBetween(ort, point) }))
    return far.toSorted((a, b) =>
      a.meter === null || b.meter === null
        ? a.point.name.localeCompare(b.point.name, 'de', { numeric: true })
        : a.meter - b.meter,
    )
  }, [points, ort, suche])
  return (
    <div className="feld-inhalt">
      <h2 className="visually-hidden">{t('Bäume')}</h2>
      <SearchField
        label={t('Bäume suchen')}
        placeholder={t('Nummer oder Baumart')}
        value={suche}
        onValue={(text) => setSearch({ suche: text }, { replace: true })}
      />
      <output className="feld-anzahl soft">
        {rows.length === 1 ? t('1 Baum') : t('{n} Bäume', { n: rows.length })} ·{' '}
        {ort === null ? positioningText(positioning) : t('die nächsten zuerst')}
      </output>
      {rows.length === 0 ? (
        <EmptyState
          icon="leaf"
          title={suche === '' ? t('In diesem Paket ist noch kein Baum.') : t('Kein Baum passt zur Suche.')}
        />
      ) : (
        <ul className="feld-liste">
          {rows.slice(0, displayed).map(({ point, meter }) => (
            <li key={point.kennung}>
              <a className="feld-zeile" href={`/feld/baum/${point.kennung}`}>
                <TreeContent
                  point={point}
                  distant={meter === null || ort === null ? null : wayText(meter, bearingOf(ort, point))}
                />
              </a>
            </li>
          ))}
        </ul>
      )}
      {rows.length > displayed && (
        <Button onClick={() => setShown(displayed + AT_ONCE)}>
          {t('Weitere {n} zeigen', { n: Math.min(AT_ONCE, rows.length - displayed) })}
        </Button>
      )}
    </div>
  )
}
