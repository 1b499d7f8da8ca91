// One tree on the ground: its place, how well it is known, and the holding's stands around it.
import { useEffect, useMemo, useState } from 'react'
import type { Umriss } from '#contract/bestand.ts'
import type { FlaecheGriff } from '../../karte/Flaeche.tsx'
import { useGrundkarte } from '../../karte/grundkarten.data.ts'
import { KartenFlaeche } from '../../karte/KartenFlaeche.tsx'
import { Button } from '../../ui/Button.tsx'
import { t } from '../../ui/text.ts'
import { mercator } from '../../karte/mercator.ts'
import { kastenVonUmrissen } from './umrisse.ts'
import { useEbene } from './use-ebene.ts'

export interface Grad {
  readonly lon: number
  readonly lat: number
}
interface Props {
  label: string
  ort: Grad | null
  genauigkeit: number
  umrisse: readonly Umriss[] | undefined
  /** Left out: it is only looked at. */
  onOrt?: (ort: Grad) => void
}
/** Metres of web mercator around a tree that is shown at first. */
const RAND = 150

export function LageKarte({ label, ort, genauigkeit, umrisse, onOrt }: Props) {
  const { gewaehlt } = useGrundkarte()
  const [flaeche, setFlaeche] = useState<FlaecheGriff | null>(null)
  // Where the map begins; later it is moved by hand, or follows a place that was typed.
  const [first] = useState(ort)
  const ausschnitt = useMemo(() => {
    if (first === null) return umrisse === undefined ? null : kastenVonUmrissen(umrisse)
    const [x, y] = mercator(first.lon, first.lat)
    return [x - RAND, y - RAND, x + RAND, y + RAND] as const
  }, [first, umrisse])
  const editable = onOrt !== undefined
  const ebene = useEbene(
    flaeche,
    (gesetzt: Grad) => onOrt?.(gesetzt),
    (ol, map, setzen) => ol.ortsebene(map, editable ? setzen : null),
    editable ? 'setzen' : 'sehen',
  )
  useEffect(() => ebene?.umrisse(umrisse ?? []), [ebene, umrisse])
  const [lon, lat] = [ort?.lon ?? null, ort?.lat ?? null]
  useEffect(() => ebene?.zeige(lon === null || lat === null ? null : mercator(lon, lat), genauigkeit), [ebene, lon, lat, genauigkeit])
  return (
    <div className="habitat-lage">
      <KartenFlaeche
        key={ausschnitt === null ? 'ohne' : 'mit'}
        label={label}
        {...(editable && { hinweis: t('Eingabetaste setzt den Baum in die Mitte der Karte.') })}
        className="habitat-ol-klein"
        grundkarte={gewaehlt}
        ausschnitt={ausschnitt}
        rad="fokus"
        onBereit={(made) => {
          setFlaeche(made)
          return () => setFlaeche(null)
        }}
      />
      {editable && (
        <div className="habitat-lage-zeile">
          <Button size="small" icon="target" disabled={ebene === null} onClick={() => ebene?.mitte()}>
            {t('In die Kartenmitte setzen')}
          </Button>
          <span className="soft">{t('Oder klicken Sie auf die Stelle.')}</span>
        </div>
      )}
    </div>
  )
}
