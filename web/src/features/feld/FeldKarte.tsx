// The map in the forest: where I am, in which stand, which trees are near. Everything on it lies on the device.
import { useEffect, useMemo, useState } from 'react'
import { Flaeche } from '../../karte/Flaeche.tsx'
import { entfernung, mercator, richtung } from '../../karte/mercator.ts'
import { meterText } from '../../record/habitat/habitat-words.ts'
import { Button, IconButton } from '../../ui/Button.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { t } from '../../ui/text.ts'
import { useView } from '../../ui/view.tsx'
import { type BaumPunkt, Bestandssuche, naechste } from './baum-punkt.ts'
import type { FeldPaket } from './feld-db.ts'
import { useFeld } from './feld-kontext.ts'
import { type Ort, ortungAn, ortungText, useOrtung } from './gnss.ts'
import { NaheZeile, weg } from './NaheZeile.tsx'
import type { Feldebenen } from './ol-feld.ts'
import { bestandText, kachel, kurzTexte, mehrOf } from './paket.ts'
import { useBaumPunkte } from './use-baeume.ts'

/** Where one had looked before going to the list and back. */
let blick: { idHQ: number; mitte: readonly [number, number]; aufloesung: number } | null = null
/** Whether the map goes with the person: in and near the holding until they move it, everywhere once they ask for it. */
type Folgt = 'nahe' | 'immer' | 'nie'
let folgt: Folgt = 'nahe'

const NAH = 3
/** Metres. Whoever is further away, on the way there or at a desk, wants to see the holding first. */
const FERN_M = 2_000

function istNahe(kasten: FeldPaket['kasten'], { lon, lat }: Ort): boolean {
  if (kasten === null) return true
  const [x, y] = mercator(lon, lat)
  const [west, south, east, north] = kasten
  const fern = FERN_M / Math.cos((lat * Math.PI) / 180)
  return x >= west - fern && x <= east + fern && y >= south - fern && y <= north + fern
}

export function FeldKarte({ paket }: { paket: FeldPaket }) {
  const { db, sub } = useFeld()
  const view = useView()
  const { karte, bestaende } = mehrOf(paket)
  const punkte = useBaumPunkte(paket)
  const ortung = useOrtung()
  const { ort, stand } = ortung
  const [ebenen, setEbenen] = useState<Feldebenen | null>(null)
  const [folgtNun, setFolgtNun] = useState(folgt)
  const [gewaehlt, setGewaehlt] = useState<string | null>(null)
  const [mehr, setMehr] = useState(false)

  const texte = useMemo(
    () => new Map(bestaende.map((merkmal) => [merkmal.id, bestandText(merkmal, paket.ebenen)])),
    [bestaende, paket.ebenen],
  )
  const suche = useMemo(() => new Bestandssuche(paket.umrisse), [paket.umrisse])
  const hier = ort === null ? null : suche.an(ort)
  const folgen = folgtNun === 'immer' || (folgtNun === 'nahe' && ort !== null && istNahe(paket.kasten, ort))
  const nahe = useMemo(() => (ort === null ? [] : naechste(punkte, ort, mehr ? 20 : NAH)), [punkte, ort, mehr])

  useEffect(() => {
    if (!ebenen) return
    const kurz = kurzTexte(bestaende)
    ebenen.bestaende(paket.umrisse, (id) => kurz.get(id) ?? '')
  }, [ebenen, paket.umrisse, bestaende])
  const mapKey = karte?.ebene
  useEffect(() => {
    if (!ebenen) return
    ebenen.grund(
      karte === null
        ? null
        : {
            min: karte.min,
            max: karte.max,
            kachel: async (at) => {
              const found = await kachel(db, sub, paket.idHQ, karte.ebene, at)
              return found === undefined ? null : new Blob([found.bytes], { type: found.typ })
            },
          },
    )
    // oxlint-disable-next-line react/exhaustive-deps -- the map's name changes with each saving
  }, [ebenen, mapKey, db, sub, paket.idHQ])
  useEffect(() => ebenen?.baeume(punkte), [ebenen, punkte])
  useEffect(() => ebenen?.ort(ort, stand !== 'da', folgen), [ebenen, ort, stand, folgen])
  useEffect(() => ebenen?.gewaehlt(gewaehlt), [ebenen, gewaehlt])

  const setFolgt = (how: Folgt) => {
    folgt = how
    setFolgtNun(how)
  }
  const finden = () => {
    ortungAn()
    setFolgt('immer')
    if (ort !== null) ebenen?.zuMir(ort)
  }
  const zeige = (punkt: BaumPunkt) => {
    setFolgt('nie')
    setGewaehlt(punkt.kennung)
    ebenen?.zu([punkt.x, punkt.y])
  }
  const baum = gewaehlt === null ? null : (punkte.find(({ kennung }) => kennung === gewaehlt) ?? null)
  const hinweis = ortungText(ortung)
  return (
    <div className="feld-karte">
      <Flaeche
        label={t('Karte von {name}', { name: paket.sHQ })}
        hinweis={t('Enter wählt den Baum, der der Mitte am nächsten ist.')}
        make={(ol, target) => ol.makeKartenFlaeche(target, paket.kasten === null ? null : [...paket.kasten], { rad: 'immer' })}
        onBereit={(made) => {
          if (blick?.idHQ === paket.idHQ) {
            const view = made.map.getView()
            const back = blick
            const restore = () => {
              view.setCenter([...back.mitte])
              view.setResolution(back.aufloesung)
            }
            if (made.map.getSize()?.every((edge) => edge > 0)) restore()
            else made.map.once('change:size', restore)
          }
          let layers: Feldebenen | null = null
          let gone = false
          void import('./ol-feld.ts').then(({ feldebenen }) => {
            if (gone) return
            layers = feldebenen(made.map, {
              baum: setGewaehlt,
              gezogen: () => setFolgt('nie'),
              blick: (mitte, aufloesung) => {
                blick = { idHQ: paket.idHQ, mitte, aufloesung }
              },
            })
            setEbenen(layers)
          })
          return () => {
            gone = true
            layers?.schliessen()
          }
        }}
        werkzeug={
          <IconButton
            icon="target"
            label={folgen && stand === 'da' ? t('Die Karte folgt Ihrem Standort') : t('Mein Standort')}
            size="small"
            aria-pressed={folgen && stand === 'da'}
            onClick={finden}
          />
        }
        fuss={karte === null ? undefined : <span className="flaeche-quelle">{karte.namensnennung}</span>}
      />
      <section className="feld-tafel" aria-label={t('Wo ich bin')}>
        {baum !== null ? (
          <div className="feld-gewaehlt">
            <div>
              <strong>{baum.name}</strong>
              {ort !== null && <span className="soft"> {weg(entfernung(ort, baum), richtung(ort, baum))}</span>}
            </div>
            <div className="feld-tafel-taten">
              <Button variant="primary" onClick={() => view.go(`/feld/baum/${baum.kennung}`)}>
                {t('Öffnen')}
              </Button>
              <IconButton icon="close" label={t('Auswahl aufheben')} onClick={() => setGewaehlt(null)} />
            </div>
          </div>
        ) : (
          <>
            <div className="feld-hier">
              {ort === null ? (
                <>
                  <span className="soft">{hinweis}</span>
                  {stand !== 'sucht' && (
                    <Button icon="target" onClick={finden}>
                      {t('Standort anzeigen')}
                    </Button>
                  )}
                </>
              ) : (
                <>
                  <Icon name="target" size={20} />
                  <span>
                    <strong>{hier === null ? t('Außerhalb der gespeicherten Bestände') : (texte.get(hier) ?? '')}</strong>
                    <span className="soft">
                      {' '}
                      {t('auf ± {m} genau', { m: meterText(ort.genauigkeit) })}
                      {stand !== 'da' && ` · ${t('letzter Standort')}`}
                    </span>
                  </span>
                </>
              )}
            </div>
            {nahe.length > 0 && (
              <ul className="feld-nahe" aria-label={t('Nächste Bäume')}>
                {nahe.map((one) => (
                  <NaheZeile key={one.punkt.kennung} nah={one} onWahl={() => zeige(one.punkt)} />
                ))}
              </ul>
            )}
            {punkte.length > NAH && ort !== null && (
              <Button variant="quiet" className="feld-mehr" aria-expanded={mehr} onClick={() => setMehr(!mehr)}>
                {mehr ? t('Weniger zeigen') : t('Mehr Bäume in der Nähe')}
              </Button>
            )}
          </>
        )}
      </section>
    </div>
  )
}
