// Small drawings for states without data, one for each kind of content. Only decoration: the words below say
// what is missing. Loaded when first needed.
import type { ReactNode } from 'react'
import './empty-drawing.css'
import { Icon, type IconName } from './Icon.tsx'

const tree = (
  <>
    <path className="drawing-far" d="M96 26 82 50h7L76 70h40l-13-20h7z" />
    <path className="drawing-far" d="M94 70h4v12h-4z" />
    <path className="drawing-near" d="M56 10 38 38h9L32 62h48L65 38h9z" />
    <path className="drawing-line" d="M56 10 38 38h9L32 62h48L65 38h9zM56 62v20" />
    <path className="drawing-line drawing-ground" d="M18 82h104" />
  </>
)
const map = (
  <>
    <path className="drawing-far" d="m26 24 28-10v58L26 82z" />
    <path className="drawing-near" d="m54 14 30 10v58L54 72z" />
    <path className="drawing-far" d="m84 24 28-10v58L84 82z" />
    <path className="drawing-line" d="m26 24 28-10 30 10 28-10v58L84 82 54 72 26 82zM54 14v58M84 24v58" />
    <path className="drawing-line drawing-dashed" d="M36 66c8-18 22-2 30-18" />
    <path className="drawing-pin" d="M76 52c-8-10-11-14-11-20a11 11 0 0 1 22 0c0 6-3 10-11 20z" />
    <circle className="drawing-hole" cx="76" cy="32" r="4" />
  </>
)
const document = (
  <>
    <path className="drawing-far" d="M34 20h44l12 12v50H34z" transform="rotate(-7 62 51)" />
    <path className="drawing-near" d="M50 12h36l16 16v54H50z" />
    <path className="drawing-line" d="M50 12h36l16 16v54H50zM86 12v16h16" />
    <path className="drawing-line drawing-soft" d="M60 42h32M60 52h32M60 62h20" />
  </>
)
const letter = (
  <>
    <path className="drawing-far" d="M46 12h48v40H46z" />
    <path className="drawing-line drawing-soft" d="M54 22h32M54 31h32M54 40h18" />
    <path className="drawing-near" d="M28 38v44h84V38L70 64z" />
    <path className="drawing-line" d="M28 38v44h84V38L70 64zM28 82l30-26M112 82 82 56M46 49V12h48v37" />
  </>
)
const people = (
  <>
    <circle className="drawing-far" cx="98" cy="36" r="11" />
    <path className="drawing-far" d="M78 82c0-16 8-26 20-26s20 10 20 26z" />
    <circle className="drawing-near" cx="58" cy="30" r="14" />
    <path className="drawing-near" d="M30 82c0-20 12-32 28-32s28 12 28 32z" />
    <circle className="drawing-line" cx="58" cy="30" r="14" />
    <path className="drawing-line" d="M30 82c0-20 12-32 28-32s28 12 28 32z" />
    <path className="drawing-line drawing-ground" d="M18 82h104" />
  </>
)
const lookup = (
  <>
    <path className="drawing-far" d="M30 16h56v14H30zM30 38h40v14H30zM30 60h34v14H30z" />
    <circle className="drawing-near" cx="82" cy="48" r="22" />
    <circle className="drawing-line" cx="82" cy="48" r="22" />
    <path className="drawing-line drawing-soft" d="M72 48h20" />
    <path className="drawing-line drawing-handle" d="m98 64 16 18" />
  </>
)

const DRAWINGS: Partial<Record<IconName, ReactNode>> = {
  bell: letter,
  book: document,
  building: people,
  card: people,
  chart: document,
  euro: document,
  file: document,
  forest: tree,
  history: document,
  image: document,
  inbox: document,
  layers: map,
  leaf: tree,
  mail: letter,
  map,
  people,
  person: people,
  search: lookup,
  target: map,
  ticket: document,
  tree,
}

/** The icon alone, in a disc, where no drawing fits: locked, done. */
export function EmptyDrawing({ icon }: { icon: IconName }) {
  const drawing = DRAWINGS[icon]
  return drawing === undefined ? (
    <span className="state-mark">
      <Icon name={icon} size={26} />
    </span>
  ) : (
    <svg className="drawing" viewBox="0 0 140 92" aria-hidden="true" focusable="false">
      {drawing}
    </svg>
  )
}
