// The rows of a file on the map before import: new, changed and faulty ones; the holding beneath, so that a
// wrong coordinate system is obvious at once.
import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import type { HabitatImportFault, HabitatImportRow } from '#contract/habitat-file.ts'
import type { SurfaceHandle } from '../../karte/Surface.tsx'
import { useBaseMap } from '../../karte/base-maps.data.ts'
import { KarteSurface } from '../../karte/KarteSurface.tsx'
import type { Betrieb } from '../../list/betrieb.data.ts'
import { kindText } from '../../record/habitat/habitat-words.ts'
import { formatNumber } from '../../ui/format.ts'
import { Skeleton } from '../../ui/States.tsx'
import { t } from '../../ui/text.ts'
import { outlinesQuery } from './habitat.data.ts'
import './habitat.css'
import type { Level } from './heaps.ts'
import { heapsOf, importPlaces, boxOfPlaces, unionOf } from './import-places.ts'
import { wasText } from './import-words.ts'
import { boxOfOutlines } from './outlines.ts'
import { useHabitatLayer } from './use-habitat-layer.ts'

interface Props {
  betrieb: Betrieb
  zeilen: readonly HabitatImportRow[]
  fehler: readonly HabitatImportFault[]
}

export function ImportKarte({ betrieb, zeilen, fehler }: Props) {
  const outlines = useQuery(outlinesQuery(betrieb.idHQ))
  const { gewaehlt } = useBaseMap()
  const [area, setSurface] = useState<SurfaceHandle | null>(null)
  const [nr, setNr] = useState<number | null>(null)
  const [level, setLevel] = useState<Level>(null)
  const places = useMemo(() => importPlaces(zeilen, fehler), [zeilen, fehler])
  const cutout = useMemo(
    () => unionOf(boxOfPlaces(places), boxOfOutlines(outlines.data ?? [])),
    [places, outlines.data],
  )
  const levelName = useHabitatLayer(area, setNr, (ol, map, pick: (id: number) => void) =>
    ol.treeLayer(map, { pick, viewport: (_, seen) => setLevel(seen), zeichen: () => undefined }),
  )
  useEffect(() => levelName?.umrisse(outlines.data ?? []), [levelName, outlines.data])
  useEffect(() => levelName?.show(heapsOf(places, level)), [levelName, places, level])
  if (outlines.isPending) return <Skeleton lines={8} />
  const faults = fehler.filter((one) => one.ort !== undefined).length
  const of = (was: HabitatImportRow[3]) => zeilen.filter((row) => row[3] === was).length
  const legend = [
    [0, t('neu'), of('neu')],
    [2, t('geändert'), of('geaendert')],
    [3, t('unverändert'), of('unveraendert')],
    [1, t('mit Fehler'), faults],
  ] as const
  return (
    <div className="habitat-karte">
      <KarteSurface
        label={t('Karte der Bäume aus der Datei')}
        hint={t('Enter nennt die Zeile des Baums, der der Mitte am nächsten ist.')}
        className="habitat-ol"
        baseMap={gewaehlt}
        cutout={cutout}
        wheel="fokus"
        onReady={(made) => {
          setSurface(made)
          return undefined
        }}
      />
      <ul className="habitat-legende" aria-label={t('Legende')}>
        {legend.map(
          ([point, name, count]) =>
            count > 0 && (
              <li key={name}>
                <span className={`habitat-punkt habitat-punkt-${point}`} aria-hidden="true" />
                {name} ({formatNumber(count)})
              </li>
            ),
        )}
      </ul>
      <output className="soft">
        {nr === null ? t('Ein Klick auf einen Punkt nennt seine Zeile.') : chosenText(nr, zeilen)}
      </output>
    </div>
  )
}

function chosenText(nr: number, rows: readonly HabitatImportRow[]): string {
  const row = rows.find(([one]) => one === nr)
  if (row === undefined) return t('Zeile {nr}: mit Fehler', { nr: formatNumber(nr) })
  const [, , , was, treeNumber, art] = row
  return t('Zeile {nr}: {was}, {baum}', {
    nr: formatNumber(nr),
    was: wasText(was),
    baum: [treeNumber, kindText(art, null)].filter(Boolean).join(' · '),
  })
}
