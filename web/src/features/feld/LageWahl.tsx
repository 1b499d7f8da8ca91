// Sets a tree's place on the saved map: the map is moved under a cross, which one thumb can do. Loaded when it is asked for.
import { useEffect, useMemo, useRef, useState } from 'react'
import { Flaeche, type FlaecheGriff } from '../../karte/Flaeche.tsx'
import { grad, mercator } from '../../karte/mercator.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { t } from '../../ui/text.ts'
import type { FeldPaket } from './feld-db.ts'
import { useFeld } from './feld-kontext.ts'
import { useOrtung } from './gnss.ts'
import type { Feldebenen } from './ol-feld.ts'
import { bestandText, kachel, mehrOf } from './paket.ts'
import { istBrauchbar } from './position.ts'

export interface Stelle {
  readonly lon: number
  readonly lat: number
}
interface Props {
  paket: FeldPaket
  /** Where it stands so far. */
  stelle: Stelle | null
  onStelle: (stelle: Stelle) => void
  onClose: () => void
}
/** Metres of web mercator that are shown around a place. */
const RAND = 60

export function LageWahl({ paket, stelle, onStelle, onClose }: Props) {
  const { db, sub } = useFeld()
  const { ort, stand } = useOrtung()
  const { karte, bestaende } = mehrOf(paket)
  const [ebenen, setEbenen] = useState<Feldebenen | null>(null)
  const griff = useRef<FlaecheGriff | null>(null)
  // A receiver that says 0/0 or anything else beyond the country would show an empty sea.
  const [anfang] = useState(() => stelle ?? (ort !== null && istBrauchbar({ ...ort, zeit: ort.am }, ort.am) ? ort : null))
  const texte = useMemo(
    () => new Map(bestaende.map((merkmal) => [merkmal.id, bestandText(merkmal, paket.ebenen)])),
    [bestaende, paket.ebenen],
  )
  useEffect(() => {
    ebenen?.bestaende(paket.umrisse, (id) => texte.get(id) ?? '')
    ebenen?.grund(
      karte && {
        min: karte.min,
        max: karte.max,
        kachel: async (at) => {
          const found = await kachel(db, sub, paket.idHQ, karte.ebene, at)
          return found === undefined ? null : new Blob([found.bytes], { type: found.typ })
        },
      },
    )
    // oxlint-disable-next-line react/exhaustive-deps -- read once for the window
  }, [ebenen])
  useEffect(() => ebenen?.ort(ort, stand !== 'da', false), [ebenen, ort, stand])
  const setze = () => {
    const [x, y] = griff.current?.map.getView().getCenter() ?? []
    if (x === undefined || y === undefined) return
    const [lon, lat] = grad(x, y)
    onStelle({ lon: Math.round(lon * 1e7) / 1e7, lat: Math.round(lat * 1e7) / 1e7 })
  }
  const kasten = useMemo(() => {
    if (anfang === null) return paket.kasten === null ? null : [...paket.kasten]
    const [x, y] = mercator(anfang.lon, anfang.lat)
    return [x - RAND, y - RAND, x + RAND, y + RAND]
  }, [anfang, paket.kasten])
  return (
    <Dialog
      open
      width="wide"
      title={t('Lage auf der Karte')}
      outside={false}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{t('Abbrechen')}</Button>
          <Button variant="primary" icon="target" onClick={setze} data-autofocus>
            {t('Hierher setzen')}
          </Button>
        </>
      }
    >
      <p className="soft">{t('Schieben Sie die Karte, bis der Baum unter dem Kreuz liegt.')}</p>
      <div className="erf-lagekarte">
        <Flaeche
          label={t('Karte von {name}', { name: paket.sHQ })}
          hinweis={t('Die Pfeiltasten schieben die Karte.')}
          make={(ol, target) => ol.makeKartenFlaeche(target, kasten as [number, number, number, number] | null, { rad: 'immer' })}
          onBereit={(made) => {
            griff.current = made
            let layers: Feldebenen | null = null
            let gone = false
            void import('./ol-feld.ts').then(({ feldebenen }) => {
              if (gone) return
              layers = feldebenen(made.map, { baum: () => undefined, gezogen: () => undefined, blick: () => undefined })
              setEbenen(layers)
            })
            return () => {
              gone = true
              layers?.schliessen()
            }
          }}
        />
        <span className="erf-kreuz" aria-hidden="true" />
      </div>
    </Dialog>
  )
}
