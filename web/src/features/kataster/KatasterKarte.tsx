// The map of a customer's survey with what belongs to it: kinds to switch, base map, own plans, what lies where one presses, measuring, printing.
import { useQuery } from '@tanstack/react-query'
import type { Coordinate } from 'ol/coordinate.js'
import { type ReactNode, useCallback, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import { type KatasterFilter, OBJEKTARTEN, type Objektart, VERMESSEN, type VermessenWort } from '#contract/kataster-kachel.ts'
import type { FlaecheGriff } from '../../karte/Flaeche.tsx'
import { useGrundkarte } from '../../karte/grundkarten.data.ts'
import { KartenFlaeche } from '../../karte/KartenFlaeche.tsx'
import { artWords, laengeText } from '../../record/kataster/kataster-words.ts'
import { Button, IconButton } from '../../ui/Button.tsx'
import { Segments } from '../../ui/Choice.tsx'
import { Checkbox, SelectField } from '../../ui/Field.tsx'
import { formatNumber } from '../../ui/format.ts'
import { Skeleton } from '../../ui/States.tsx'
import { splitOff } from '../../ui/split-off.tsx'
import { t } from '../../ui/text.ts'
import { useView } from '../../ui/view.tsx'
import { type KatasterKunde, kastenOf, objektQuery, type ObjektZiel, zielOf, zielText } from './kataster.data.ts'
import { vermessenText } from './kataster-words.ts'
import { Legendenzeichen } from './Legendenzeichen.tsx'
import { ObjektKarte } from './ObjektKarte.tsx'
import type { Fund, MessArt, Messen, Messung, Treffer, Vermessungsebene } from './ol-kataster.ts'
import { type PlanAuflage, PlanEbenen } from './PlanEbenen.tsx'

type Ol = typeof import('./ol-kataster.ts')
interface Geladen {
  readonly ol: Ol
  readonly flaeche: FlaecheGriff
  readonly ebene: Vermessungsebene
}

const DruckDialog = splitOff(async () => (await import('./DruckDialog.tsx')).DruckDialog, <Skeleton />)

interface Props {
  kunde: KatasterKunde
  filter: KatasterFilter
  /** [west, south, east, north]; of all objects. */
  umgriff: readonly [number, number, number, number]
}

/** Kinds that are switched off, as they stand in the address: aus=schacht,einlauf. */
const ausOf = (text: string | undefined): ReadonlySet<Objektart> =>
  new Set(OBJEKTARTEN.filter((art) => (text ?? '').split(',').includes(art)))

export function KatasterKarte({ kunde, filter, umgriff }: Props) {
  const view = useView()
  const aus = useMemo(() => ausOf(view.search['aus']), [view.search])
  const gewaehlt = useMemo(() => zielOf(view.search['objekt']), [view.search])
  const { karten, gewaehlt: grund, waehlen } = useGrundkarte()
  const [flaeche, setFlaeche] = useState<FlaecheGriff | null>(null)
  const [geladen, setGeladen] = useState<Geladen | null>(null)
  const [fund, setFund] = useState<readonly Treffer[] | null>(null)
  const [sichtbar, setSichtbar] = useState<number | null>(null)
  const [werkzeug, setWerkzeug] = useState<'zeigen' | MessArt>('zeigen')
  const [messung, setMessung] = useState<Messung | null>(null)
  const [plaene, setPlaene] = useState<readonly PlanAuflage[]>([])
  const [druck, setDruck] = useState(false)
  const messer = useRef<Messen | null>(null)
  const [fehler, setFehler] = useState(0)

  const identify = useEffectEvent((found: Fund, { map: shown }: FlaecheGriff) => {
    if ('haufen' in found) {
      const map = shown.getView()
      map.animate({ center: found.haufen, zoom: Math.min(20, (map.getZoom() ?? 10) + 2), duration: 250 })
      return
    }
    setFund(found.objekte.length > 1 ? found.objekte : null)
    if (found.objekte.length <= 1) view.setSearch({ objekt: found.objekte[0] ? zielText(found.objekte[0]) : undefined }, { replace: true })
  })
  const ask = useEffectEvent(
    async (ort: () => Coordinate, { flaeche: shown, ebene }: Pick<Geladen, 'flaeche' | 'ebene'>): Promise<void> => {
      const found = await ebene.suche(ort)
      if (found !== null) identify(found, shown)
    },
  )
  const onKey = useEffectEvent((event: KeyboardEvent, { flaeche: shown, ebene }: Pick<Geladen, 'flaeche' | 'ebene'>) => {
    const middle = shown.map.getView().getCenter()
    if (middle === undefined) return
    if (event.key === 'Escape') {
      setWerkzeug('zeigen')
      setFund(null)
    } else if (event.key === 'Enter' && werkzeug === 'zeigen') {
      void ask(() => shown.map.getView().getCenter() ?? middle, { flaeche: shown, ebene })
    } else if (event.key === 'Enter' && event.ctrlKey) messer.current?.fertig()
    else if (event.key === 'Enter') messer.current?.ecke(middle)
    else if (event.key === 'Backspace') messer.current?.zurueck()
    else return
    event.preventDefault()
  })
  const isShowing = useEffectEvent(() => werkzeug === 'zeigen')
  const begin = useEffectEvent((ol: Ol, shown: FlaecheGriff) => {
    const ebene = ol.vermessungsebene(shown.map, kunde.client_id, filter, () => setFehler((before) => before + 1))
    setGeladen({ ol, flaeche: shown, ebene })
    return ebene
  })
  useEffect(() => {
    if (flaeche === null) return
    let gone = false
    const target = flaeche.map.getTargetElement()
    const ends: (() => void)[] = []
    void import('./ol-kataster.ts').then((ol) => {
      if (gone) return
      const ebene = begin(ol, flaeche)
      const onDown = (event: KeyboardEvent) => onKey(event, { flaeche, ebene })
      target?.addEventListener('keydown', onDown)
      ends.push(() => target?.removeEventListener('keydown', onDown))
      flaeche.map.on('singleclick', ({ coordinate }) => {
        if (isShowing()) void ask(() => coordinate, { flaeche, ebene })
      })
      flaeche.map.on('rendercomplete', () => setSichtbar(ebene.anzahl()))
    })
    return () => {
      gone = true
      for (const end of ends) end()
    }
  }, [flaeche])

  useEffect(() => geladen?.ebene.zeigen(aus, gewaehlt), [geladen, aus, gewaehlt])
  const filterText = JSON.stringify(filter)
  const drawn = useRef(filterText)
  useEffect(() => {
    if (!geladen || drawn.current === filterText) return
    drawn.current = filterText
    geladen.ebene.filtern(JSON.parse(filterText) as KatasterFilter)
  }, [geladen, filterText])

  useEffect(() => {
    if (!geladen || werkzeug === 'zeigen') return
    const running = geladen.ol.messen(geladen.flaeche.map, werkzeug, setMessung)
    messer.current = running
    return () => {
      messer.current = null
      running.ende()
    }
  }, [geladen, werkzeug])

  const auflagen = useRef(new Map<string, ReturnType<Ol['planEbene']>>())
  useEffect(() => {
    if (!geladen) return
    const shown = auflagen.current
    for (const [key, layer] of shown)
      if (!plaene.some((plan) => plan.key === key)) {
        geladen.flaeche.map.removeLayer(layer)
        shown.delete(key)
      }
    for (const { key, kachel, deckkraft } of plaene) {
      const layer = shown.get(key)
      if (layer) layer.setOpacity(deckkraft)
      else {
        const made = geladen.ol.planEbene(kachel, deckkraft)
        shown.set(key, made)
        geladen.flaeche.map.addLayer(made)
      }
    }
  }, [geladen, plaene])

  const satz = useQuery({ ...objektQuery(gewaehlt ?? { art: 'schacht', id: 0 }), enabled: gewaehlt !== null })
  const zeigeAuf = useCallback(
    (coordinates: Parameters<typeof kastenOf>[0]) => {
      geladen?.flaeche.map.getView().fit([...kastenOf(coordinates)], { maxZoom: 18, padding: [60, 60, 60, 60], duration: 250 })
    },
    [geladen],
  )
  // Once for each that is chosen, and only when it lies outside of what is shown: who pressed it on the map stays where they are.
  const shownFor = useRef<string | null>(null)
  const arrive = useEffectEvent((key: string, coordinates: Parameters<typeof kastenOf>[0], map: FlaecheGriff['map']) => {
    if (shownFor.current === key) return
    shownFor.current = key
    // Who chose it in the list below sees where it lies.
    map.getTargetElement()?.scrollIntoView({ block: 'nearest' })
    const [w, s, e, n] = kastenOf(coordinates)
    const [west = 0, south = 0, east = 0, north = 0] = map.getView().calculateExtent(map.getSize())
    const small = (map.getView().getResolution() ?? 1) < 5
    if (!small || (w + e) / 2 < west || (w + e) / 2 > east || (s + n) / 2 < south || (s + n) / 2 > north) zeigeAuf(coordinates)
  })
  useEffect(() => {
    if (gewaehlt === null) shownFor.current = null
    else if (geladen && satz.data?.id === gewaehlt.id) arrive(zielText(gewaehlt), satz.data.g3857.coordinates, geladen.flaeche.map)
  }, [geladen, gewaehlt, satz.data])

  const schalte = (art: Objektart, an: boolean) => {
    const next = OBJEKTARTEN.filter((one) => (one === art ? !an : aus.has(one)))
    view.setSearch({ aus: next.join(',') }, { replace: true })
  }
  return (
    <div className="kataster-karte">
      <div className="kataster-flaeche">
        <fieldset className="kataster-werkzeuge" aria-label={t('Werkzeuge der Karte')}>
          <Segments
            label={t('Werkzeug')}
            value={werkzeug}
            options={[
              { value: 'zeigen', label: t('Ansehen') },
              { value: 'strecke', label: t('Strecke messen') },
              { value: 'flaeche', label: t('Fläche messen') },
            ]}
            onChange={setWerkzeug}
          />
          <output className="kataster-messung nums">{werkzeug !== 'zeigen' && <MessText art={werkzeug} messung={messung} />}</output>
          <Button icon="file" onClick={() => setDruck(true)} disabled={geladen === null}>
            {t('Als PDF drucken')}
          </Button>
        </fieldset>
        <KartenFlaeche
          label={t('Karte der Vermessung von {name}', { name: kunde.name })}
          hinweis={
            werkzeug === 'zeigen'
              ? t('Eingabetaste zeigt, was in der Mitte liegt.')
              : t(
                  'Eingabetaste setzt eine Ecke in der Mitte, Rücktaste nimmt sie zurück, Strg und Eingabetaste schließt ab, Escape bricht ab.',
                )
          }
          className="kataster-ol"
          grundkarte={grund}
          ausschnitt={umgriff}
          rad="fokus"
          onBereit={(made) => {
            setFlaeche(made)
            return undefined
          }}
          fuss={
            sichtbar !== null && (
              <span data-symbole={sichtbar}>
                {sichtbar === 1 ? t('1 Zeichen im Ausschnitt') : t('{n} Zeichen im Ausschnitt', { n: formatNumber(sichtbar) })}
              </span>
            )
          }
        />
        {fehler > 0 && (
          <output className="kataster-fehler">
            {t('Ein Teil der Vermessung ist nicht angekommen.')}
            <Button
              size="small"
              icon="refresh"
              onClick={() => {
                setFehler(0)
                geladen?.ebene.filtern(filter)
              }}
            >
              {t('Erneut versuchen')}
            </Button>
          </output>
        )}
      </div>
      <div className="kataster-seite">
        {fund !== null && (
          <Funde funde={fund} onWahl={(ziel) => (setFund(null), view.setSearch({ objekt: zielText(ziel) }))} onEnde={() => setFund(null)} />
        )}
        {gewaehlt !== null && (
          <ObjektKarte
            ziel={gewaehlt}
            satz={satz}
            onZoom={satz.data && (() => zeigeAuf(satz.data.g3857.coordinates))}
            onEnde={() => view.setSearch({ objekt: undefined }, { replace: true })}
          />
        )}
        <section className="kataster-legende" aria-label={t('Legende')}>
          <h3>{t('Ebenen')}</h3>
          <ul>
            {OBJEKTARTEN.map((art) => (
              <li key={art}>
                <Checkbox label={artWords(art).many} checked={!aus.has(art)} onChange={({ target }) => schalte(art, target.checked)} />
                <Legendenzeichen art={art} wort="ja" />
              </li>
            ))}
          </ul>
          <h3>{t('Einmessung')}</h3>
          <ul>
            {VERMESSEN.map((wort: VermessenWort) => (
              <li key={wort}>
                <span>{vermessenText(wort)}</span>
                <span className="kataster-zeichen">
                  <Legendenzeichen art="draenage" wort={wort} />
                  <Legendenzeichen art="schacht" wort={wort} />
                </span>
              </li>
            ))}
          </ul>
          <p className="soft">{t('Ein grüner Kreis mit Zahl steht für so viele Objekte; Drücken vergrößert.')}</p>
        </section>
        {karten.length > 0 && (
          <SelectField
            label={t('Grundkarte')}
            value={grund?.id ?? ''}
            emptyOption={t('keine')}
            options={karten.map(({ id, titel }) => ({ value: id, label: titel }))}
            onChange={({ target }) => waehlen(target.value)}
          />
        )}
        <PlanEbenen kunde={kunde.client_id} onChange={setPlaene} />
      </div>
      {druck && geladen && (
        <DruckDialog
          kunde={kunde}
          map={geladen.flaeche.map}
          arten={OBJEKTARTEN.filter((art) => !aus.has(art))}
          quelle={grund?.namensnennung ?? null}
          onClose={() => setDruck(false)}
        />
      )}
    </div>
  )
}

function MessText({ art, messung }: { art: MessArt; messung: Messung | null }): ReactNode {
  if (messung === null) return art === 'strecke' ? t('Punkte setzen, doppelt drücken beendet') : t('Ecken setzen, doppelt drücken beendet')
  if (art === 'strecke') return laengeText(messung.wert)
  return messung.wert >= 10_000
    ? t('{n} ha', { n: formatNumber(messung.wert / 10_000, 2) })
    : t('{n} m²', { n: formatNumber(Math.round(messung.wert)) })
}

function Funde({ funde, onWahl, onEnde }: { funde: readonly Treffer[]; onWahl: (ziel: ObjektZiel) => void; onEnde: () => void }) {
  return (
    <section className="kataster-funde" aria-label={t('Was hier liegt')}>
      <div className="kataster-kopf">
        <h3>{t('{n} Objekte an dieser Stelle', { n: funde.length })}</h3>
        <IconButton icon="close" size="small" label={t('Schließen')} onClick={onEnde} />
      </div>
      <ul>
        {funde.map((fund) => (
          <li key={zielText(fund)}>
            <button type="button" className="kataster-fund" onClick={() => onWahl(fund)}>
              <Legendenzeichen art={fund.art} wort={fund.wort} />
              <span>
                {artWords(fund.art).one}
                {fund.bezeichnung !== '' && <span className="soft"> {fund.bezeichnung}</span>}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}
