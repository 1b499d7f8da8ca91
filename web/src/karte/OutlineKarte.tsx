// A small map without tiles: outlines on the maps' own background, scale bar, north arrow. Works with pointer
// and keyboard.
import {
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  type ReactNode,
  useCallback,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
} from 'react'
import type { PolygonJson } from '#contract/forstbetrieb.ts'
import { Button, IconButton } from '../ui/Button.tsx'
import { formatNumber } from '../ui/format.ts'
import { splitOff } from '../ui/split-off.tsx'
import { t } from '../ui/text.ts'
import { GROUND_SOURCES } from './ground.ts'
import type { Spot } from './outline-ground.ts'
import {
  type Extent,
  fitView,
  localOf,
  type Metres,
  pan,
  pathOf,
  scaleBar,
  type ToLocal,
  transformOf,
  type View,
  zoomAt,
} from './outline-view.ts'
import './outline-karte.css'

export interface Outline {
  readonly key: string | number
  readonly polygon: PolygonJson
  /** Shown next to the shape if there are several. */
  readonly label?: string
  /** Just an extent: drawn dashed. */
  readonly box?: boolean
}

const OutlineGround = splitOff(async () => (await import('./OutlineGround.tsx')).OutlineGround, null, {
  optional: true,
})

const FRAME = { width: 800, height: 460 }
const STEP = 60
/** As far as one can zoom out and move, in extents. */
const REACH = 4

interface Props {
  shapes: readonly Outline[]
  extent: Extent
  metres: Metres
  /** Where the centre of the extent is on the earth. */
  spot: Spot
  /** Accessible name of the map. */
  label: string
}

export function OutlineKarte({ shapes, extent, metres, spot, label }: Props) {
  const hintId = useId()
  const [hasGround, setGround] = useState(false)
  const onGround = useCallback(() => setGround(true), [])
  const { toLocal, width, height } = useMemo(() => localOf(extent, metres), [extent, metres])
  const { view, isMoved, zoom, reset, frame, handlers } = useOutlineView(width, height)
  const bar = scaleBar(view.scale, 180)
  return (
    <div className="area-map">
      {/* Arrow keys move the map, so it must be focusable. */}
      {/* oxlint-disable jsx-a11y/no-noninteractive-tabindex, jsx-a11y/no-noninteractive-element-interactions */}
      <section
        ref={frame}
        className="area-map-frame"
        aria-label={label}
        aria-describedby={hintId}
        tabIndex={0}
        {...handlers}
      >
        {/* oxlint-enable jsx-a11y/no-noninteractive-tabindex, jsx-a11y/no-noninteractive-element-interactions */}
        <Drawing shapes={shapes} toLocal={toLocal} view={view} bar={bar}>
          <OutlineGround
            spot={spot}
            view={view}
            frame={FRAME}
            reach={REACH * Math.max(width, height)}
            onShown={onGround}
          />
        </Drawing>
      </section>
      <div className="area-map-tools">
        <IconButton
          icon="plus"
          label={t('Vergrößern')}
          variant="secondary"
          size="small"
          onClick={() => zoom(1.6)}
        />
        <IconButton
          icon="minus"
          label={t('Verkleinern')}
          variant="secondary"
          size="small"
          onClick={() => zoom(1 / 1.6)}
        />
        <Button size="small" disabled={!isMoved} onClick={reset}>
          {t('Alles zeigen')}
        </Button>
        <span className="visually-hidden">
          {t('Maßstabsbalken: {length}', { length: lengthText(bar.metres) })}
        </span>
        <span id={hintId} className="soft area-map-hint">
          {t('Ziehen oder Pfeiltasten verschieben, + und − oder Strg mit Mausrad vergrößern.')}
        </span>
        {hasGround && <span className="soft area-map-source">{GROUND_SOURCES}</span>}
      </div>
    </div>
  )
}

/** Client pixels to frame units: the drawing is scaled to the width of the page. */
function toFrame(element: Element | null, clientX: number, clientY: number): readonly [number, number] {
  const box = element?.getBoundingClientRect()
  if (!box || box.width === 0) return [0, 0]
  return [((clientX - box.left) / box.width) * FRAME.width, ((clientY - box.top) / box.width) * FRAME.width]
}

/** The visible part, moved by keys, pointer and wheel. */
function useOutlineView(width: number, height: number) {
  const frame = useRef<HTMLDivElement>(null)
  const whole = useMemo(() => ({ width, height }), [width, height])
  const fit = useMemo(() => fitView(whole, FRAME), [whole])
  const [moved, setMoved] = useState<View | null>(null)
  const drag = useRef<readonly [x: number, y: number] | null>(null)
  const zoom = (factor: number, at: readonly [number, number] = [FRAME.width / 2, FRAME.height / 2]) =>
    setMoved((before) => zoomAt(before ?? fit, factor, at, FRAME, fit))
  const move = (dx: number, dy: number) => setMoved((before) => pan(before ?? fit, dx, dy, whole))
  const reset = () => setMoved(null)

  // React's wheel listener is passive and could not prevent scrolling. Without Ctrl the wheel scrolls the
  // page.
  useEffect(() => {
    const element = frame.current
    if (!element) return undefined
    const onWheel = (event: WheelEvent) => {
      if (!event.ctrlKey && !event.metaKey) return
      event.preventDefault()
      const at = toFrame(element, event.clientX, event.clientY)
      setMoved((before) => zoomAt(before ?? fit, event.deltaY < 0 ? 1.25 : 0.8, at, FRAME, fit))
    }
    element.addEventListener('wheel', onWheel, { passive: false })
    return () => element.removeEventListener('wheel', onWheel)
  }, [fit])

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const act = {
      ArrowLeft: () => move(STEP, 0),
      ArrowRight: () => move(-STEP, 0),
      ArrowUp: () => move(0, STEP),
      ArrowDown: () => move(0, -STEP),
      '+': () => zoom(1.4),
      '-': () => zoom(1 / 1.4),
      '0': reset,
    }[event.key]
    if (!act) return
    event.preventDefault()
    act()
  }
  const endDrag = () => {
    drag.current = null
  }
  const handlers = {
    onKeyDown,
    onPointerDown: (event: PointerEvent) => {
      if (event.button !== 0) return
      drag.current = toFrame(frame.current, event.clientX, event.clientY)
      event.currentTarget.setPointerCapture(event.pointerId)
    },
    onPointerMove: (event: PointerEvent) => {
      if (!drag.current) return
      const [x, y] = toFrame(frame.current, event.clientX, event.clientY)
      move(x - drag.current[0], y - drag.current[1])
      drag.current = [x, y]
    },
    onPointerUp: endDrag,
    onPointerCancel: endDrag,
    onDoubleClick: (event: MouseEvent) => zoom(1.6, toFrame(frame.current, event.clientX, event.clientY)),
  }
  return { view: moved ?? fit, isMoved: moved !== null, zoom, reset, frame, handlers }
}

interface DrawingProps extends Pick<Props, 'shapes'> {
  toLocal: ToLocal
  view: View
  bar: ReturnType<typeof scaleBar>
  /** What is below the outlines. */
  children: ReactNode
}
function Drawing({ shapes, toLocal, view, bar, children }: DrawingProps) {
  const drawn = useMemo(
    () =>
      shapes.map((shape) => ({
        ...shape,
        path: pathOf(shape.polygon, toLocal),
        at: toLocal(middleOf(shape.polygon)),
      })),
    [shapes, toLocal],
  )
  return (
    <svg viewBox={`0 0 ${FRAME.width} ${FRAME.height}`} aria-hidden="true" focusable="false">
      {children}
      <g transform={transformOf(view, FRAME)}>
        {drawn.map(({ key, path, box }) => (
          <path
            key={key}
            d={path}
            className={box ? 'area-box' : 'area-shape'}
            fillRule="evenodd"
            vectorEffect="non-scaling-stroke"
          />
        ))}
      </g>
      {drawn.map(
        ({ key, label: name, at }) =>
          name && (
            <text
              key={key}
              className="area-label"
              x={FRAME.width / 2 + (at[0] - view.x) * view.scale}
              y={FRAME.height / 2 + (at[1] - view.y) * view.scale}
            >
              {shortened(name)}
            </text>
          ),
      )}
      <g className="area-north" transform={`translate(${FRAME.width - 34} 42)`}>
        <path d="M0 -26 L9 10 L0 4 L-9 10 Z" />
        <text y="28">N</text>
      </g>
      <g className="area-bar" transform={`translate(20 ${FRAME.height - 24})`}>
        <path d={`M0 -8 V0 H${bar.pixels} V-8`} />
        <text x={bar.pixels / 2} y="-10">
          {lengthText(bar.metres)}
        </text>
      </g>
    </svg>
  )
}

const shortened = (name: string): string =>
  Array.from(name).length > 32 ? `${Array.from(name).slice(0, 30).join('')} …` : name
const lengthText = (metres: number): string =>
  metres >= 1000 ? `${formatNumber(metres / 1000)}\u00a0km` : `${formatNumber(metres)}\u00a0m`

/** Centre of the first ring's extent: good enough for placing a label. */
function middleOf({ type, coordinates }: PolygonJson): readonly [number, number] {
  const ring = (type === 'Polygon' ? coordinates[0] : coordinates[0]?.[0]) ?? []
  let [left, bottom, right, top] = [Infinity, Infinity, -Infinity, -Infinity]
  for (const [x, y] of ring) {
    left = Math.min(left, x)
    bottom = Math.min(bottom, y)
    right = Math.max(right, x)
    top = Math.max(top, y)
  }
  return [(left + right) / 2, (bottom + top) / 2]
}
