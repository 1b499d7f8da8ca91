// The maps' background below an outline: borders, rivers and the places around. Loaded after the outline.
import { useEffect, useMemo, useState } from 'react'
import { type Ground, type GroundPlace, readGround } from './ground.ts'
import { groundAround, type Spot } from './outline-ground.ts'
import { type Frame, transformOf, type View } from './outline-view.ts'

interface Props {
  spot: Spot
  view: View
  frame: Frame
  /** Metres from the centre up to which something may be seen. */
  reach: number
  onShown: () => void
}

/** Pixels of a line of names. */
const LINE = 20
const LETTER = 8.2
/** Names, the largest places first, as far as they fit and are in the frame. */
function namesIn(places: readonly GroundPlace[], view: View, frame: Frame) {
  const taken: { readonly x: number; readonly y: number; readonly half: number }[] = []
  return places.flatMap(({ name, at: [east, south] }) => {
    const x = frame.width / 2 + (east - view.x) * view.scale
    const y = frame.height / 2 + (south - view.y) * view.scale
    const half = (name.length * LETTER) / 2
    const inFrame = x > half && x < frame.width - half && y > LINE && y < frame.height - LINE
    const free = taken.every(
      (other) => Math.abs(other.x - x) > other.half + half || Math.abs(other.y - y) > LINE,
    )
    if (!inFrame || !free) return []
    taken.push({ x, y, half })
    return [{ name, x, y }]
  })
}

export function OutlineGround({ spot, view, frame, reach, onShown }: Props) {
  const [ground, setGround] = useState<Ground | null>(null)
  useEffect(() => {
    let gone = false
    // Without it the outline stands alone, as it did before.
    import('./ground.json?raw').then(
      ({ default: text }) => !gone && setGround(readGround(text)),
      () => {},
    )
    return () => {
      gone = true
    }
  }, [])
  useEffect(() => {
    if (ground !== null) onShown()
  }, [ground, onShown])
  const around = useMemo(() => ground && groundAround(ground, spot, reach), [ground, spot, reach])
  if (around === null) return null
  const lines = [
    ['area-district', around.districts],
    ['area-river', around.rivers],
    ['area-border', around.borders],
  ] as const
  return (
    <>
      <rect className="area-home" width={frame.width} height={frame.height} />
      <g transform={transformOf(view, frame)}>
        {lines.map(([className, path]) => (
          <path key={className} className={className} d={path} vectorEffect="non-scaling-stroke" />
        ))}
      </g>
      {namesIn(around.places, view, frame).map(({ name, x, y }) => (
        <text key={name} className="area-place" x={x} y={y}>
          {name}
        </text>
      ))}
    </>
  )
}
