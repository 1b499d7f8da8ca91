// A small map without tiles: outlines, scale bar, north arrow. Works with pointer and keyboard and fetches
// nothing.
import { type KeyboardEvent, type PointerEvent, useEffect, useId, useMemo, useRef, useState } from 'react'
import type { PolygonJson } from '#contract/forstbetrieb.ts'
import { Button } from '../ui/Button.tsx'
import { formatNumber } from '../ui/format.ts'
import { t } from '../ui/text.ts'
import {
  type Extent,
  fitView,
  localOf,
  type Metres,
  pan,
  pathOf,
  scaleBar,
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

const FRAME = { width: 800, height: 460 }
const STEP = 60

export function OutlineKarte({
  shapes,
  extent,
  metres,
  label,
}: {
  shapes: readonly Outline[]
  extent: Extent
  metres: Metres
  /** Accessible name of the map. */
  label: string
}) {
  const hintId = useId()
  const frame = useRef<HTMLDivElement>(null)
  const { toLocal, width, height } = useMemo(() => localOf(extent, metres), [extent, metres])
  const whole = useMemo(() => ({ width, height }), [width, height])
  const fit = useMemo(() => fitView(whole, FRAME), [whole])
  const [moved, setMoved] = useState<View | null>(null)
  const view = moved ?? fit
  const drawn = useMemo(
    () =>
      shapes.map((shape) => ({
        ...shape,
        path: pathOf(shape.polygon, toLocal),
        at: toLocal(middleOf(shape.polygon)),
      })),
    [shapes, toLocal],
  )
  const zoom = (factor: number, at: readonly [number, number] = [FRAME.width / 2, FRAME.height / 2]) =>
    setMoved((before) => zoomAt(before ?? fit, factor, at, FRAME, fit))
  const move = (dx: number, dy: number) => setMoved((before) => pan(before ?? fit, dx, dy, whole))
  const drag = useRef<{ x: number; y: number } | null>(null)
  /** Client pixels to frame units: the drawing is scaled to the width of the page. */
  const toFrame = (clientX: number, clientY: number): [number, number] => {
    const box = frame.current?.getBoundingClientRect()
    if (!box || box.width === 0) return [0, 0]
    return [((clientX - box.left) / box.width) * FRAME.width, ((clientY - box.top) / box.width) * FRAME.width]
  }

  // React's wheel listener is passive and could not prevent scrolling. Without Ctrl the wheel scrolls the
  // page.
  useEffect(() => {
    const element = frame.current
    if (!element) return undefined
    const onWheel = (event: WheelEvent) => {
      if (!event.ctrlKey && !event.metaKey) return
      event.preventDefault()
      const box = element.getBoundingClientRect()
      const at = [
        ((event.clientX - box.left) / box.width) * FRAME.width,
        ((event.clientY - box.top) / box.width) * FRAME.width,
      ] as const
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
      '0': () => setMoved(null),
    }[event.key]
    if (!act) return
    event.preventDefault()
    act()
  }
  const onPointerMove = (event: PointerEvent) => {
    if (!drag.current) return
    const [x, y] = toFrame(event.clientX, event.clientY)
    move(x - drag.current.x, y - drag.current.y)
    drag.current = { x, y }
  }
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
        onKeyDown={onKeyDown}
        onPointerDown={(event) => {
          if (event.button !== 0) return
          const [x, y] = toFrame(event.clientX, event.clientY)
          drag.current = { x, y }
          event.currentTarget.setPointerCapture(event.pointerId)
        }}
        onPointerMove={onPointerMove}
        onPointerUp={() => {
          drag.current = null
        }}
        onPointerCancel={() => {
          drag.current = null
        }}
        onDoubleClick={(event) => zoom(1.6, toFrame(event.clientX, event.clientY))}
      >
        {/* oxlint-enable jsx-a11y/no-noninteractive-tabindex, jsx-a11y/no-noninteractive-element-interactions */}
        <svg viewBox={`0 0 ${FRAME.width} ${FRAME.height}`} aria-hidden="true" focusable="false">
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
      </section>
      <div className="area-map-tools">
        <Button size="small" aria-label={t('Vergrößern')} title={t('Vergrößern')} onClick={() => zoom(1.6)}>
          +
        </Button>
        <Button
          size="small"
          aria-label={t('Verkleinern')}
          title={t('Verkleinern')}
          onClick={() => zoom(1 / 1.6)}
        >
          −
        </Button>
        <Button size="small" disabled={moved === null} onClick={() => setMoved(null)}>
          {t('Alles zeigen')}
        </Button>
        <span className="visually-hidden">
          {t('Maßstabsbalken: {length}', { length: lengthText(bar.metres) })}
        </span>
        <span id={hintId} className="soft area-map-hint">
          {t('Ziehen oder Pfeiltasten verschieben, + und − oder Strg mit Mausrad vergrößern.')}
        </span>
      </div>
    </div>
  )
}

const shortened = (name: string): string =>
  Array.from(name).length > 32 ? `${Array.from(name).slice(0, 30).join('')} …` : name
const lengthText = (metres: number): string =>
  metres >= 1000 ? `${formatNumber(metres / 1000)}\u00a0km` : `${formatNumber(metres)}\u00a0m`

/** Centre of the first ring's extent: good enough for placing a label. */
function middleOf({ type, coordinates }: PolygonJson): readonly [number, number] {
  const ring = (type === 'Polygon' ? coordinates[0] : coordinates[0]?.[0]) ?? []
  let [xmin, ymin, xmax, ymax] = [Infinity, Infinity, -Infinity, -Infinity]
  for (const [x, y] of ring) {
    xmin = Math.min(xmin, x)
    ymin = Math.min(ymin, y)
    xmax = Math.max(xmax, x)
    ymax = Math.max(ymax, y)
  }
  return [(xmin + xmax) / 2, (ymin + ymax) / 2]
}
