// The pointer at the head of a list's table: the edge of a column drags its width, the column itself its place.
// It listens on the card around the table, so that it lasts however often the table is rendered. Fingers
// scroll instead; for them and for the keyboard there is ArrangeDialog.tsx.

export interface HeadActs {
  /** `to`: its index among the columns shown. */
  readonly move: (key: string, to: number) => void
  /** undefined: as wide as its content. */
  readonly width: (key: string, width: number | undefined) => void
}

/** In pixels, on both sides of the line between two columns. */
const EDGE = 6
/** So far a press is still a click. */
const CLICK = 5
/** Below, rows are cards (table.css). */
const CARDS = '(max-width: 640px)'

export const headsOf = (card: ParentNode): HTMLElement[] => [
  ...card.querySelectorAll<HTMLElement>('thead th[data-key]'),
]
const keyOf = (head: HTMLElement) => head.dataset['key'] ?? ''
const headAt = (target: EventTarget | null) =>
  target instanceof Element ? target.closest<HTMLElement>('thead th[data-key]') : null

/** The column whose right edge is under the pointer. */
function edgeAt(card: ParentNode, { target, clientX }: MouseEvent): HTMLElement | null {
  const head = headAt(target)
  if (!head || window.matchMedia(CARDS).matches) return null
  const { left, right } = head.getBoundingClientRect()
  if (clientX > right - EDGE) return head
  const heads = headsOf(card)
  return clientX < left + EDGE ? (heads[heads.indexOf(head) - 1] ?? null) : null
}

/** A line over the whole table where the edge or the column would be. */
function drawGuide(card: HTMLElement) {
  const guide = document.createElement('div')
  guide.className = 'head-guide'
  const box = card.querySelector('.table-scroll')?.getBoundingClientRect()
  guide.style.top = `${box?.top ?? 0}px`
  guide.style.height = `${box?.height ?? 0}px`
  card.append(guide)
  return {
    at: (x: number) => {
      guide.style.left = `${x - 1}px`
    },
    remove: () => guide.remove(),
  }
}

/** Follows the pointer until it is released; Escape gives up. */
function follow(card: HTMLElement, moved: (x: number) => void, done: (x: number | null) => void) {
  const ending = new AbortController()
  const { signal } = ending
  const end = (x: number | null) => {
    ending.abort()
    done(x)
  }
  const options = { signal, capture: true }
  document.addEventListener('pointermove', ({ clientX }) => moved(clientX), options)
  document.addEventListener('pointerup', ({ clientX }) => end(clientX), options)
  document.addEventListener('pointercancel', () => end(null), options)
  document.addEventListener(
    'keydown',
    (event) => {
      if (event.key !== 'Escape') return
      event.preventDefault()
      event.stopPropagation()
      end(null)
    },
    options,
  )
  // The release of a drag is no click on what is below it.
  signal.addEventListener('abort', () => {
    const stop = (event: Event) => event.stopPropagation()
    card.addEventListener('click', stop, { capture: true, once: true })
    setTimeout(() => card.removeEventListener('click', stop, { capture: true }))
  })
}

function dragWidth(card: HTMLElement, head: HTMLElement, acts: HeadActs) {
  const { left } = head.getBoundingClientRect()
  const guide = drawGuide(card)
  follow(card, guide.at, (x) => {
    guide.remove()
    if (x !== null) acts.width(keyOf(head), x - left)
  })
}

/** The gap between columns that is nearest to x: its index, never before the first column. */
function gapAt(heads: readonly HTMLElement[], x: number) {
  const boxes = heads.map((head) => head.getBoundingClientRect())
  const gap = Math.max(1, boxes.filter(({ left, width }) => x > left + width / 2).length)
  return { gap, x: boxes[gap]?.left ?? boxes.at(-1)?.right ?? x }
}

function dragPlace(card: HTMLElement, head: HTMLElement, start: number, acts: HeadActs) {
  const heads = headsOf(card)
  const from = heads.indexOf(head)
  if (from <= 0) return
  let guide: ReturnType<typeof drawGuide> | null = null
  const begin = new AbortController()
  const { signal } = begin
  const release = () => begin.abort()
  document.addEventListener('pointerup', release, { signal })
  document.addEventListener(
    'pointermove',
    ({ clientX }) => {
      if (Math.abs(clientX - start) < CLICK) return
      begin.abort()
      guide = drawGuide(card)
      guide.at(gapAt(heads, clientX).x)
      head.classList.add('head-moving')
      follow(
        card,
        (x) => guide?.at(gapAt(heads, x).x),
        (x) => {
          guide?.remove()
          head.classList.remove('head-moving')
          if (x === null) return
          const { gap } = gapAt(heads, x)
          acts.move(keyOf(head), gap > from ? gap - 1 : gap)
        },
      )
    },
    { signal },
  )
}

/** Returns how to stop. */
export function watchHead(card: HTMLElement, acts: HeadActs): () => void {
  const ending = new AbortController()
  const { signal } = ending
  card.addEventListener(
    'pointerdown',
    (event) => {
      const head = headAt(event.target)
      if (!head || event.button !== 0 || event.pointerType === 'touch') return
      const edge = edgeAt(card, event)
      if (edge) {
        event.preventDefault()
        dragWidth(card, edge, acts)
      } else if (!window.matchMedia(CARDS).matches) dragPlace(card, head, event.clientX, acts)
    },
    { signal },
  )
  card.addEventListener(
    'pointermove',
    (event) => card.classList.toggle('head-edge', event.buttons === 0 && edgeAt(card, event) !== null),
    { signal },
  )
  card.addEventListener(
    'dblclick',
    (event) => {
      const edge = edgeAt(card, event)
      if (edge) acts.width(keyOf(edge), undefined)
    },
    { signal },
  )
  card.addEventListener(
    'scroll',
    ({ target }) => {
      if (target instanceof HTMLElement && target.matches('.table-scroll'))
        target.classList.toggle('table-scrolled', target.scrollLeft > 0)
    },
    { signal, capture: true },
  )
  return () => ending.abort()
}
