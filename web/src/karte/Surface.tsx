// Common base of all maps: loads OpenLayers when shown, is focusable and moved by arrow keys, and has buttons
// for everything the pointer can do.
import { type ReactNode, useEffect, useEffectEvent, useId, useRef, useState } from 'react'
import { Button, IconButton } from '../ui/Button.tsx'
import { ErrorState, Skeleton } from '../ui/States.tsx'
import { t } from '../ui/text.ts'
import './surface.css'
import { GROUND_SOURCES } from './ground.ts'
import type { Surface as OlSurface } from './ol-surface.ts'

export type { OlSurface as SurfaceHandle }
type Ol = typeof import('./ol-surface.ts')

export interface SurfaceProps {
  /** Accessible name of the map. */
  label: string
  /** Called once the map is ready; the returned function is called before it is removed. */
  onReady?: (area: OlSurface) => (() => void) | undefined
  /** Additional buttons in the corner. */
  tool?: ReactNode
  /** Shown over the map in its upper left corner. */
  over?: ReactNode
  /** Overlay in the lower corner: attribution, pointer position. */
  fuss?: ReactNode
  /** Additional instructions besides panning and zooming; read aloud with the label. */
  hint?: string
  className?: string
  /** Shows where north is; a scan has none. */
  north?: boolean
}

type Make = (ol: Ol, target: HTMLElement) => OlSurface

/** Loads OpenLayers and makes the map in `target`; `surface` is null until then. */
function useOl(make: Make, onReady: SurfaceProps['onReady']) {
  const target = useRef<HTMLElement>(null)
  const [surface, setSurface] = useState<OlSurface | null>(null)
  const [fault, setFault] = useState<unknown>(null)
  /** Number of tiles that did not arrive. */
  const [missing, setMissing] = useState(0)
  const [hasGround, setGround] = useState(false)
  const [attempt, setAttempt] = useState(0)
  const start = useEffectEvent((ol: Ol, element: HTMLElement) => {
    const made = make(ol, element)
    made.onError(setMissing)
    made.onGround(setGround)
    setSurface(made)
    return { made, end: onReady?.(made) }
  })
  useEffect(() => {
    let running: { made: OlSurface; end: (() => void) | undefined } | null = null
    let gone = false
    import('./ol-surface.ts').then(
      (ol) => {
        if (!gone && target.current) running = start(ol, target.current)
      },
      (error: unknown) => !gone && setFault(error),
    )
    return () => {
      gone = true
      running?.end?.()
      running?.made.dispose()
    }
  }, [attempt])
  const again = () => {
    setFault(null)
    setAttempt(attempt + 1)
  }
  return { target, surface, fault, missing, hasGround, again }
}

export function Surface(props: SurfaceProps & { make: Make }) {
  const { label, onReady, tool, over, fuss, hint, className, north, make } = props
  const hintId = useId()
  const { target, surface, fault, missing, hasGround, again } = useOl(make, onReady)
  return (
    <div className={`flaeche${className ? ` ${className}` : ''}`}>
      {/* Arrow keys move the map, so it must be focusable. */}
      <section
        ref={target}
        className="flaeche-bild"
        aria-label={label}
        aria-describedby={hintId}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- the map is moved with the keyboard
        tabIndex={0}
      />
      <span id={hintId} className="visually-hidden">
        {t('Pfeiltasten verschieben, + und − vergrößern.')} {hint}
      </span>
      {surface === null && (
        <div className="flaeche-warten">
          {fault === null ? <Skeleton lines={4} /> : <ErrorState error={fault} onRetry={again} />}
        </div>
      )}
      {surface !== null && (
        <ViewButtons surface={surface} label={label}>
          {tool}
        </ViewButtons>
      )}
      {over}
      {north && surface !== null && <NorthArrow />}
      {missing > 0 && (
        <output className="flaeche-fehler">
          {t('Ein Teil des Bildes ist nicht angekommen.')}
          <Button size="small" icon="refresh" onClick={() => surface?.retry()}>
            {t('Erneut versuchen')}
          </Button>
        </output>
      )}
      {(fuss || hasGround) && (
        <div className="flaeche-fuss">
          {fuss}
          {hasGround && <span className="flaeche-quelle">{GROUND_SOURCES}</span>}
        </div>
      )}
    </div>
  )
}

const NorthArrow = () => (
  <div className="flaeche-nord">
    <span className="visually-hidden">{t('Norden ist oben')}</span>
    <svg viewBox="0 0 24 34" aria-hidden="true">
      <path d="M12 2 19 22 12 17.5Z" fill="currentColor" />
      <path d="M12 2 5 22 12 17.5Z" fill="none" stroke="currentColor" strokeLinejoin="round" />
      <text x="12" y="33" textAnchor="middle">
        N
      </text>
    </svg>
  </div>
)

interface ViewProps {
  surface: OlSurface
  label: string
  children: ReactNode
}
const ViewButtons = ({ surface, label, children }: ViewProps) => (
  <fieldset className="flaeche-werkzeug" aria-label={t('Ansicht: {label}', { label })}>
    <IconButton icon="plus" label={t('Vergrößern')} size="small" onClick={() => surface.zoomBy(2)} />
    <IconButton icon="minus" label={t('Verkleinern')} size="small" onClick={() => surface.zoomBy(0.5)} />
    <IconButton icon="expand" label={t('Alles zeigen')} size="small" onClick={surface.showAll} />
    {children}
  </fieldset>
)
