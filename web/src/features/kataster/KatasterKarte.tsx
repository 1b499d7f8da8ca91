// The map of a customer's survey: layer switches, base map, own plans, objects at a click, measuring,
// printing.
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useCallback, useMemo, useState } from 'react'
import { type KatasterFilter, OBJECT_KINDS, SURVEYED, type ObjectKind } from '#contract/kataster-tile.ts'
import { BaseMapField } from '../../karte/BaseMapField.tsx'
import { type BaseMapChoice, useBaseMap } from '../../karte/base-maps.data.ts'
import { KarteSurface } from '../../karte/KarteSurface.tsx'
import { kindWords, lengthText } from '../../record/kataster/kataster-words.ts'
import { Button, IconButton } from '../../ui/Button.tsx'
import { Segments } from '../../ui/Choice.tsx'
import { Checkbox } from '../../ui/Field.tsx'
import { formatNumber } from '../../ui/format.ts'
import { Skeleton } from '../../ui/States.tsx'
import { splitOff } from '../../ui/split-off.tsx'
import { usePicked } from '../../ui/store.ts'
import { t } from '../../ui/text.ts'
import { useView } from '../../ui/view.tsx'
import { type KatasterKunde, objectQuery, type ObjectTarget, targetOf, targetText } from './kataster.data.ts'
import { hiddenKindsOf, hiddenText, type KatasterStore, katasterStore, type Tool } from './kataster-store.ts'
import { surveyedText } from './kataster-words.ts'
import { LegendSign } from './LegendSign.tsx'
import { ObjectCard } from './ObjectCard.tsx'
import type { Hit, MeasureKind, Measurement } from './ol-kataster.ts'
import { type PlanOverlay, PlanLayers } from './PlanLayers.tsx'
import { type KatasterMap, useArrival, useKatasterMap } from './use-kataster-map.ts'

const PrintDialog = splitOff(async () => (await import('./PrintDialog.tsx')).PrintDialog, <Skeleton />)

interface Props {
  kunde: KatasterKunde
  filter: KatasterFilter
  /** [west, south, east, north] of all objects. */
  umgriff: readonly [number, number, number, number]
}

export function KatasterKarte({ kunde, filter, umgriff }: Props) {
  const { search, setSearch } = useView()
  const hidden = useMemo(() => hiddenKindsOf(search['aus']), [search])
  const target = useMemo(() => targetOf(search['objekt']), [search])
  const [store] = useState(katasterStore)
  const baseMap = useBaseMap()
  const karte = useKatasterMap(store, { kunde: kunde.client_id, filter, hidden, target }, (found) =>
    setSearch({ objekt: found && targetText(found) }, { replace: true }),
  )
  const setPlans = useCallback(
    (plans: readonly PlanOverlay[]) => store.change((now) => ({ ...now, plans })),
    [store],
  )
  const toggle = (art: ObjectKind, isShown: boolean) =>
    setSearch({ aus: hiddenText(hidden, art, isShown) }, { replace: true })
  return (
    <div className="kataster-karte">
      <div className="kataster-flaeche">
        <Tools store={store} printable={karte.map !== null} />
        <Pane name={kunde.name} store={store} karte={karte} baseMap={baseMap} umgriff={umgriff} />
        <Missing store={store} onRetry={karte.reload} />
      </div>
      <div className="kataster-seite">
        <Findings store={store} />
        {target !== null && <Selected target={target} karte={karte} />}
        <Legend hidden={hidden} onToggle={toggle} />
        <BaseMapField choice={baseMap} />
        <PlanLayers kunde={kunde.client_id} onChange={setPlans} />
      </div>
      <Print store={store} karte={karte} kunde={kunde} hidden={hidden} baseMap={baseMap} />
    </div>
  )
}

function Tools({ store, printable }: { store: KatasterStore; printable: boolean }) {
  const tool = usePicked(store, (state) => state.tool)
  const measurement = usePicked(store, (state) => state.measurement)
  return (
    <fieldset className="kataster-werkzeuge" aria-label={t('Werkzeuge der Karte')}>
      <Segments
        label={t('Werkzeug')}
        value={tool}
        options={[
          { value: 'zeigen', label: t('Ansehen') },
          { value: 'strecke', label: t('Strecke messen') },
          { value: 'flaeche', label: t('Fläche messen') },
        ]}
        onChange={(chosen) => store.change((now) => ({ ...now, tool: chosen }))}
      />
      <output className="kataster-messung nums">
        {tool !== 'zeigen' && <MessText art={tool} measurement={measurement} />}
      </output>
      <Button
        icon="file"
        onClick={() => store.change((now) => ({ ...now, printOpen: true }))}
        disabled={!printable}
      >
        {t('Als PDF drucken')}
      </Button>
    </fieldset>
  )
}

const hintOf = (tool: Tool): string =>
  tool === 'zeigen'
    ? t('Enter zeigt, was in der Mitte liegt.')
    : t(
        'Enter setzt eine Ecke in der Mitte, Rücktaste nimmt sie zurück, Strg und Enter ' +
          'schließt ab, Escape bricht ab.',
      )

interface PaneProps extends Pick<Props, 'umgriff'> {
  name: string
  store: KatasterStore
  karte: KatasterMap
  baseMap: BaseMapChoice
}
function Pane({ name, store, karte, baseMap, umgriff }: PaneProps) {
  const tool = usePicked(store, (state) => state.tool)
  const visible = usePicked(store, (state) => state.visible)
  return (
    <KarteSurface
      label={t('Karte der Vermessung von {name}', { name })}
      hint={hintOf(tool)}
      className="kataster-ol"
      baseMap={baseMap.gewaehlt}
      cutout={umgriff}
      wheel="fokus"
      onReady={karte.onReady}
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
  )
}

function Missing({ store, onRetry }: { store: KatasterStore; onRetry: () => void }) {
  if (usePicked(store, ({ missing }) => missing) === 0) return null
  return (
    <output className="kataster-fehler">
      {t('Ein Teil der Vermessung ist nicht angekommen.')}
      <Button size="small" icon="refresh" onClick={onRetry}>
        {t('Erneut versuchen')}
      </Button>
    </output>
  )
}

function Selected({ target, karte }: { target: ObjectTarget; karte: KatasterMap }) {
  const { setSearch } = useView()
  const record = useQuery(objectQuery(target))
  useArrival(karte.map, target, record.data)
  return (
    <ObjectCard
      ziel={target}
      satz={record}
      onZoom={record.data && (() => karte.zoomTo(record.data.g3857.coordinates))}
      onEnd={() => setSearch({ objekt: undefined }, { replace: true })}
    />
  )
}

interface LegendProps {
  hidden: ReadonlySet<ObjectKind>
  onToggle: (art: ObjectKind, isShown: boolean) => void
}
function Legend({ hidden, onToggle }: LegendProps) {
  return (
    <section className="kataster-legende" aria-label={t('Legende')}>
      <h3>{t('Ebenen')}</h3>
      <ul>
        {OBJECT_KINDS.map((art) => (
          <li key={art}>
            <Checkbox
              label={kindWords(art).many}
              checked={!hidden.has(art)}
              onChange={({ target }) => onToggle(art, target.checked)}
            />
            <LegendSign art={art} wort="ja" />
          </li>
        ))}
      </ul>
      <h3>{t('Einmessung')}</h3>
      <ul>
        {SURVEYED.map((wort) => (
          <li key={wort}>
            <span>{surveyedText(wort)}</span>
            <span className="kataster-zeichen">
              <LegendSign art="draenage" wort={wort} />
              <LegendSign art="schacht" wort={wort} />
            </span>
          </li>
        ))}
      </ul>
      <p className="soft">{t('Ein grüner Kreis mit Zahl steht für so viele Objekte; Drücken vergrößert.')}</p>
    </section>
  )
}

interface PrintProps extends Pick<LegendProps, 'hidden'> {
  store: KatasterStore
  karte: KatasterMap
  kunde: KatasterKunde
  baseMap: BaseMapChoice
}
function Print({ store, karte: { map }, kunde, hidden, baseMap }: PrintProps) {
  const isOpen = usePicked(store, ({ printOpen }) => printOpen)
  if (!isOpen || map === null) return null
  return (
    <PrintDialog
      kunde={kunde}
      map={map}
      arten={OBJECT_KINDS.filter((art) => !hidden.has(art))}
      source={baseMap.gewaehlt?.namensnennung ?? null}
      onClose={() => store.change((now) => ({ ...now, printOpen: false }))}
    />
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

/** Several objects at one place. */
function Findings({ store }: { store: KatasterStore }) {
  const { setSearch } = useView()
  const finding = usePicked(store, (state) => state.finding)
  if (finding === null) return null
  const close = () => store.change((now) => ({ ...now, finding: null }))
  const choose = (hit: Hit) => {
    close()
    setSearch({ objekt: targetText(hit) })
  }
  return (
    <section className="kataster-funde" aria-label={t('Was hier liegt')}>
      <div className="kataster-kopf">
        <h3>{t('{n} Objekte an dieser Stelle', { n: finding.length })}</h3>
        <IconButton icon="close" size="small" label={t('Schließen')} onClick={close} />
      </div>
      <ul>
        {finding.map((hit) => (
          <li key={targetText(hit)}>
            <button type="button" className="kataster-fund" onClick={() => choose(hit)}>
              <LegendSign art={hit.art} wort={hit.wort} />
              <span>
                {kindWords(hit.art).one}
                {hit.label !== '' && <span className="soft"> {hit.label}</span>}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}
