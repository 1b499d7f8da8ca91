// Magnifies one place of a scan; arrow keys move a point in steps too fine for a pointer.
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react'
import { Segments } from '../ui/Choice.tsx'
import { t } from '../ui/text.ts'
import type { SurfaceHandle } from './Surface.tsx'
import type { Magnifier as OlMagnifier } from './ol-surface.ts'

interface Props {
  flaeche: SurfaceHandle
  /** In view coordinates; null if there is nothing to magnify. */
  center: readonly [x: number, y: number] | null
  /** Name of what the arrow keys move; null if they move nothing. */
  was: string | null
  /** In scan pixels, right and down. */
  onNudge: (right: number, down: number) => void
}

const DIRECTIONS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}
/** Pixels per key press: ten with Shift, a tenth with Alt. */
export function nudgeOf({
  key,
  shiftKey,
  altKey,
  ctrlKey,
  metaKey,
}: Pick<KeyboardEvent, 'key' | 'shiftKey' | 'altKey' | 'ctrlKey' | 'metaKey'>):
  | readonly [number, number]
  | null {
  const direction = DIRECTIONS[key]
  if (direction === undefined || ctrlKey || metaKey) return null
  const step = altKey ? 0.1 : shiftKey ? 10 : 1
  return [direction[0] * step, direction[1] * step]
}

export function Magnifier({ flaeche, center, was, onNudge }: Props) {
  const target = useRef<HTMLElement>(null)
  const hintId = useId()
  const [magnifier, setMagnifier] = useState<OlMagnifier | null>(null)
  const [factor, setFactor] = useState<'4' | '8'>('4')
  useEffect(() => {
    let gone = false
    let made: OlMagnifier | null = null
    void import('./ol-surface.ts').then((ol) => {
      if (gone || !target.current) return
      made = ol.makeMagnifier(target.current, flaeche.map)
      setMagnifier(made)
    })
    return () => {
      gone = true
      made?.dispose()
    }
  }, [flaeche])
  const [x, y] = center ?? [null, null]
  useEffect(() => {
    if (x !== null && y !== null) magnifier?.show([x, y], Number(factor))
  }, [magnifier, x, y, factor])
  const onKeyDown = (event: KeyboardEvent) => {
    const nudge = nudgeOf(event)
    if (nudge === null || was === null) return
    event.preventDefault()
    event.stopPropagation()
    onNudge(...nudge)
  }
  return (
    <div className="lupe">
      {/* Arrow keys act on it, so it must be focusable. */}
      {/* oxlint-disable jsx-a11y/no-noninteractive-tabindex, jsx-a11y/no-noninteractive-element-interactions */}
      <section
        ref={target}
        className={`lupe-bild${center === null ? ' lupe-leer' : ''}`}
        tabIndex={0}
        aria-label={was === null ? t('Lupe') : t('Lupe: {what}', { what: was })}
        aria-describedby={hintId}
        onKeyDown={onKeyDown}
      />
      {/* oxlint-enable jsx-a11y/no-noninteractive-tabindex, jsx-a11y/no-noninteractive-element-interactions */}
      {center === null && <p className="soft lupe-wie">{t('Punkt wählen oder über den Scan fahren')}</p>}
      <div className="lupe-fuss">
        <Segments
          label={t('Vergrößerung der Lupe')}
          value={factor}
          options={[
            { value: '4', label: '4×' },
            { value: '8', label: '8×' },
          ]}
          onChange={setFactor}
        />
        <span id={hintId} className="soft lupe-hinweis">
          {t('Pfeiltasten: 1 Pixel, mit Umschalt 10, mit Alt 0,1.')}
        </span>
      </div>
    </div>
  )
}
