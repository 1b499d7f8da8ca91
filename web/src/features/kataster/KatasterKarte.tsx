// The map of a customer's survey: layer switches, base map, own plans, objects at a click, measuring,
// printing.
import { useQuery } from '@tanstack/react-query'
import type { Coordinate } from 'ol/coordinate.js'
import { type ReactNode, useCallback, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import {
  type KatasterFilter,
  OBJECT_KINDS,
  type ObjectKind,
  SURVEYED,
  type SurveyedWord,
} from '#contract/kataster-tile.ts'
import type { SurfaceHandle } from '../../karte/Surface.tsx'
import { useBaseMap } from '../../karte/base-maps.data.ts'
import { KarteSurface } from '../../karte/KarteSurface.tsx'
import { kindWords, lengthText } from '../../record/kataster/kataster-words.ts'
import { Button, IconButton } from '../../ui/Button.tsx'
import { Segments } from '../../ui/Choice.tsx'
import { Checkbox, SelectField } from '../../ui/Field.tsx'
import { formatNumber } from '../../ui/format.ts'
import { Skeleton } from '../../ui/States.tsx'
import { splitOff } from '../../ui/split-off.tsx'
import { t } from '../../ui/text.ts'
import { useView } from '../../ui/view.tsx'
import {
  type KatasterKunde,
  boxOf,
  objectQuery,
  type ObjectTarget,
  targetOf,
  targetText,
} from './kataster.data.ts'
import { surveyedText } from './kataster-words.ts'
import { LegendSign } from './LegendSign.tsx'
import { ObjectCard } from './ObjectCard.tsx'
import type {
  Finding,
  MeasureKind,
  MeasuringTool,
  Measurement,
  Hit,
  VermessungsLayer,
} from './ol-kataster.ts'
import { type PlanOverlay, PlanLayers } from './PlanLayers.tsx'

type Ol = typeof import('./ol-kataster.ts')
interface Loaded {
  readonly ol: Ol
  readonly flaeche: SurfaceHandle
  readonly ebene: VermessungsLayer
}

const PrintDialog = splitOff(async () => (await import('./PrintDialog.tsx')).PrintDialog, <Skeleton />)

interface Props {
  kunde: KatasterKunde
  filter: KatasterFilter
  /** [west, south, east, north] of all objects. */
  umgriff: readonly [number, number, number, number]
}

/** Hidden kinds as in the address: aus=schacht,einlauf. */
const hiddenKindsOf = (text: string | undefined): ReadonlySet<ObjectKind> =>
  new Set(OBJECT_KINDS.filter((art) => (text ?? '').split(',').includes(art)))

export function KatasterKarte({ kunde, filter, umgriff }: Props) {
  const view = useView()
  const aus = useMemo(() => hiddenKindsOf(view.search['aus']), [view.search])
  const gewaehlt = useMemo(() => targetOf(view.search['objekt']), [view.search])
  const { karten, gewaehlt: grund, pick } = useBaseMap()
  const [flaeche, setSurface] = useState<SurfaceHandle | null>(null)
  const [loaded, setLoaded] = useState<Loaded | null>(null)
  const [finding, setFinding] = useState<readonly Hit[] | null>(null)
  const [visible, setVisible] = useState<number | null>(null)
  const [tool, setTool] = useState<'zeigen' | MeasureKind>('zeigen')
  const [measurement, setMeasurement] = useState<Measurement | null>(null)
  const [plans, setPlans] = useState<readonly PlanOverlay[]>([])
  const [printOpen, setPrintOpen] = useState(false)
  const measuringTool = useRef<MeasuringTool | null>(null)
  const [fehler, setError] = useState(0)

  const identify = useEffectEvent((found: Finding, { map: shown }: SurfaceHandle) => {
    if ('haufen' in found) {
      const map = shown.getView()
      map.animate({ center: found.haufen, zoom: Math.min(20, (map.getZoom() ?? 10) + 2), duration: 250 })
      return
    }
    setFinding(found.objekte.length > 1 ? found.objekte : null)
    if (found.objekte.length <= 1)
      view.setSearch(
        { objekt: found.objekte[0] ? targetText(found.objekte[0]) : undefined },
        { replace: true },
      )
  })
  const ask = useEffectEvent(
    async (
      ort: () => Coordinate,
      { flaeche: shown, ebene }: Pick<Loaded, 'flaeche' | 'ebene'>,
    ): Promise<void> => {
      const found = await ebene.suche(ort)
      if (found !== null) identify(found, shown)
    },
  )
  const onKey = useEffectEvent(
    (event: KeyboardEvent, { flaeche: shown, ebene }: Pick<Loaded, 'flaeche' | 'ebene'>) => {
      const middle = shown.map.getView().getCenter()
      if (middle === undefined) return
      if (event.key === 'Escape') {
        setTool('zeigen')
        setFinding(null)
      } else if (event.key === 'Enter' && tool === 'zeigen') {
        void ask(() => shown.map.getView().getCenter() ?? middle, { flaeche: shown, ebene })
      } else if (event.key === 'Enter' && event.ctrlKey) measuringTool.current?.fertig()
      else if (event.key === 'Enter') measuringTool.current?.addCorner(middle)
      else if (event.key === 'Backspace') measuringTool.current?.zurueck()
      else return
      event.preventDefault()
    },
  )
  const isShowing = useEffectEvent(() => tool === 'zeigen')
  const begin = useEffectEvent((ol: Ol, shown: SurfaceHandle) => {
    const ebene = ol.vermessungsLayer(shown.map, kunde.client_id, filter, () =>
      setError((before) => before + 1),
    )
    setLoaded({ ol, flaeche: shown, ebene })
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
      flaeche.map.on('rendercomplete', () => setVisible(ebene.anzahl()))
    })
    return () => {
      gone = true
      for (const end of ends) end()
    }
  }, [flaeche])

  useEffect(() => loaded?.ebene.display(aus, gewaehlt), [loaded, aus, gewaehlt])
  const filterText = JSON.stringify(filter)
  const drawn = useRef(filterText)
  useEffect(() => {
    if (!loaded || drawn.current === filterText) return
    drawn.current = filterText
    loaded.ebene.applyFilter(JSON.parse(filterText) as KatasterFilter)
  }, [loaded, filterText])

  useEffect(() => {
    if (!loaded || tool === 'zeigen') return
    const running = loaded.ol.measure(loaded.flaeche.map, tool, setMeasurement)
    measuringTool.current = running
    return () => {
      measuringTool.current = null
      running.ende()
    }
  }, [loaded, tool])

  const overlays = useRef(new Map<string, ReturnType<Ol['planLayer']>>())
  useEffect(() => {
    if (!loaded) return
    const shown = overlays.current
    for (const [key, layer] of shown)
      if (!plans.some((plan) => plan.key === key)) {
        loaded.flaeche.map.removeLayer(layer)
        shown.delete(key)
      }
    for (const { key, kachel, opacity } of plans) {
      const layer = shown.get(key)
      if (layer) layer.setOpacity(opacity)
      else {
        const made = loaded.ol.planLayer(kachel, opacity)
        shown.set(key, made)
        loaded.flaeche.map.addLayer(made)
      }
    }
  }, [loaded, plans])

  const satz = useQuery({ ...objectQuery(gewaehlt ?? { art: 'schacht', id: 0 }), enabled: gewaehlt !== null })
  const zoomTo = useCallback(
    (coordinates: Parameters<typeof boxOf>[0]) => {
      loaded?.flaeche.map
        .getView()
        .fit([...boxOf(coordinates)], { maxZoom: 18, padding: [60, 60, 60, 60], duration: 250 })
    },
    [loaded],
  )
  // Once per selected object, and only if it is outside the visible area: an object clicked on the map must
  // not move it.
  const shownFor = useRef<string | null>(null)
  const arrive = useEffectEvent(
    (key: string, coordinates: Parameters<typeof boxOf>[0], map: SurfaceHandle['map']) => {
      if (shownFor.current === key) return
      shownFor.current = key
      // For an object selected in the list below, scroll the map into view.
      map.getTargetElement()?.scrollIntoView({ block: 'nearest' })
      const [w, s, e, n] = boxOf(coordinates)
      const [west = 0, south = 0, east = 0, north = 0] = map.getView().calculateExtent(map.getSize())
      const small = (map.getView().getResolution() ?? 1) < 5
      if (!small || (w + e) / 2 < west || (w + e) / 2 > east || (s + n) / 2 < south || (s + n) / 2 > north)
        zoomTo(coordinates)
    },
  )
  useEffect(() => {
    if (gewaehlt === null) shownFor.current = null
    else if (loaded && satz.data?.id === gewaehlt.id)
      arrive(targetText(gewaehlt), satz.data.g3857.coordinates, loaded.flaeche.map)
  }, [loaded, gewaehlt, satz.data])

  const toggle = (art: ObjectKind, an: boolean) => {
    const next = OBJECT_KINDS.filter((one) => (one === art ? !an : aus.has(one)))
    view.setSearch({ aus: next.join(',') }, { replace: true })
  }
  return (
    <div className="kataster-karte">
      <div className="kataster-flaeche">
        <fieldset className="kataster-werkzeuge" aria-label={t('Werkzeuge der Karte')}>
          <Segments
            label={t('Werkzeug')}
            value={tool}
            options={[
              { value: 'zeigen', label: t('Ansehen') },
              { value: 'strecke', label: t('Strecke messen') },
              { value: 'flaeche', label: t('Fläche messen') },
            ]}
            onChange={setTool}
          />
          <output className="kataster-messung nums">
            {tool !== 'zeigen' && <MessText art={tool} measurement={measurement} />}
          </output>
          <Button icon="file" onClick={() => setPrintOpen(true)} disabled={loaded === null}>
            {t('Als PDF drucken')}
          </Button>
        </fieldset>
        <KarteSurface
          label={t('Karte der Vermessung von {name}', { name: kunde.name })}
          hint={
            tool === 'zeigen'
              ? t('Eingabetaste zeigt, was in der Mitte liegt.')
              : t(
                  'Eingabetaste setzt eine Ecke in der Mitte, Rücktaste nimmt sie zurück, Strg und Eingabetaste schließt ab, Escape bricht ab.',
                )
          }
          className="kataster-ol"
          baseMap={grund}
          cutout={umgriff}
          wheel="fokus"
          onReady={(made) => {
            setSurface(made)
            return undefined
          }}
          fuss={
            visible !== null && (
              <span data-symbole={visible}>
                {visible === 1
                  ? t('1 Zeichen im Ausschnitt')
                  : t('{n} Zeichen im Ausschnitt', { n: formatNumber(visible) })}
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
                setError(0)
                loaded?.ebene.applyFilter(filter)
              }}
            >
              {t('Erneut versuchen')}
            </Button>
          </output>
        )}
      </div>
      <div className="kataster-seite">
        {finding !== null && (
          <Findings
            findings={finding}
            onChoose={(ziel) => (setFinding(null), view.setSearch({ objekt: targetText(ziel) }))}
            onEnd={() => setFinding(null)}
          />
        )}
        {gewaehlt !== null && (
          <ObjectCard
            ziel={gewaehlt}
            satz={satz}
            onZoom={satz.data && (() => zoomTo(satz.data.g3857.coordinates))}
            onEnd={() => view.setSearch({ objekt: undefined }, { replace: true })}
          />
        )}
        <section className="kataster-legende" aria-label={t('Legende')}>
          <h3>{t('Ebenen')}</h3>
          <ul>
            {OBJECT_KINDS.map((art) => (
              <li key={art}>
                <Checkbox
                  label={kindWords(art).many}
                  checked={!aus.has(art)}
                  onChange={({ target }) => toggle(art, target.checked)}
                />
                <LegendSign art={art} wort="ja" />
              </li>
            ))}
          </ul>
          <h3>{t('Einmessung')}</h3>
          <ul>
            {SURVEYED.map((wort: SurveyedWord) => (
              <li key={wort}>
                <span>{surveyedText(wort)}</span>
                <span className="kataster-zeichen">
                  <LegendSign art="draenage" wort={wort} />
                  <LegendSign art="schacht" wort={wort} />
                </span>
              </li>
            ))}
          </ul>
          <p className="soft">
            {t('Ein grüner Kreis mit Zahl steht für so viele Objekte; Drücken vergrößert.')}
          </p>
        </section>
        {karten.length > 0 && (
          <SelectField
            label={t('Grundkarte')}
            value={grund?.id ?? ''}
            emptyOption={t('keine')}
            options={karten.map(({ id, titel }) => ({ value: id, label: titel }))}
            onChange={({ target }) => pick(target.value)}
          />
        )}
        <PlanLayers kunde={kunde.client_id} onChange={setPlans} />
      </div>
      {printOpen && loaded && (
        <PrintDialog
          kunde={kunde}
          map={loaded.flaeche.map}
          arten={OBJECT_KINDS.filter((art) => !aus.has(art))}
          source={grund?.namensnennung ?? null}
          onClose={() => setPrintOpen(false)}
        />
      )}
    </div>
  )
}

function MessText({ art, measurement }: { art: MeasureKind; measurement: Measurement | null }): ReactNode {
  if (measurement === null)
    return art === 'strecke'
      ? t('Punkte setzen, doppelt drücken beendet')
      : t('Ecken setzen, doppelt drücken beendet')
  if (art === 'strecke') return lengthText(measurement.wert)
  return measurement.wert >= 10_000
    ? t('{n} ha', { n: formatNumber(measurement.wert / 10_000, 2) })
    : t('{n} m²', { n: formatNumber(Math.round(measurement.wert)) })
}

function Findings({
  findings,
  onChoose,
  onEnd,
}: {
  findings: readonly Hit[]
  onChoose: (ziel: ObjectTarget) => void
  onEnd: () => void
}) {
  return (
    <section className="kataster-funde" aria-label={t('Was hier liegt')}>
      <div className="kataster-kopf">
        <h3>{t('{n} Objekte an dieser Stelle', { n: findings.length })}</h3>
        <IconButton icon="close" size="small" label={t('Schließen')} onClick={onEnd} />
      </div>
      <ul>
        {findings.map((finding) => (
          <li key={targetText(finding)}>
            <button type="button" className="kataster-fund" onClick={() => onChoose(finding)}>
              <LegendSign art={finding.art} wort={finding.wort} />
              <span>
                {kindWords(finding.art).one}
                {finding.label !== '' && <span className="soft"> {finding.label}</span>}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}
