// The breadcrumb: a navigation with an ordered list of links; the current page is plain text. What does not
// fit between the menu button and the rest of the bar is in the menu "…".
import { type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { useSession } from '../../data/session.ts'
import { Menu } from '../../ui/Menu.tsx'
import { t } from '../../ui/text.ts'
import { type Crumb, crumbsOf } from '../breadcrumb.ts'
import './breadcrumb.css'
import { fitCrumbs, shortened } from './fit-crumbs.ts'
import type { OpenPage } from './page-name.ts'

const titleOf = ({ named, title }: Crumb): string => (named ? title : t(title))

/** As in breadcrumb.css: the space around a slash, and the button "…". */
const SIZES = { gap: 24, more: 26 }

export function Breadcrumb({ page }: { page: OpenPage }) {
  const { roles } = useSession()
  const list = useRef<HTMLOListElement>(null)
  const { room, widthOf } = useRoom(list)
  const crumbs = crumbsOf(page.path, roles, page.names)
  const widths = crumbs.map((crumb) => ({ ...crumb, width: widthOf(titleOf(crumb)) }))
  const { hidden, most } = fitCrumbs(widths, { room, ...SIZES })
  const [from, to] = hidden
  return (
    <nav aria-label={t('Brotkrumen')} className="breadcrumb">
      <ol ref={list}>
        {crumbs.map((crumb, at) => {
          if (at === from && to > from)
            return (
              <li key="…">
                <More crumbs={crumbs.slice(from, to)} />
              </li>
            )
          if (at > from && at < to) return null
          return (
            // The index is part of the key, because a customer may have the same name as the page above.
            // oxlint-disable-next-line react/no-array-index-key
            <li key={`${at} ${crumb.title}`}>
              <Step crumb={crumb} isHere={at === crumbs.length - 1} fit={[most[at] ?? room, widthOf]} />
            </li>
          )
        })}
      </ol>
    </nav>
  )
}

interface StepProps {
  readonly crumb: Crumb
  readonly isHere: boolean
  readonly fit: readonly [most: number, widthOf: (text: string) => number]
}

function Step({ crumb, isHere, fit: [most, widthOf] }: StepProps) {
  const title = titleOf(crumb)
  const short = shortened(title, most, widthOf)
  const inside =
    short === title ? (
      title
    ) : (
      <>
        <span className="visually-hidden">{title}</span>
        {short && (
          <span aria-hidden="true" title={title}>
            {short}
          </span>
        )}
      </>
    )
  if (crumb.href) return <a href={crumb.href}>{inside}</a>
  return (
    <span aria-current={isHere ? 'page' : undefined} className={isHere ? 'breadcrumb-here' : undefined}>
      {inside}
    </span>
  )
}

const More = ({ crumbs }: { crumbs: readonly Crumb[] }) => (
  <Menu
    label={t('Übergeordnete Seiten')}
    trigger="…"
    className="breadcrumb-more"
    items={crumbs.flatMap((crumb) =>
      crumb.href === undefined ? [] : { key: crumb.href, label: titleOf(crumb), href: crumb.href },
    )}
  />
)

/** Width of the list, and that of a text in it. */
function useRoom(list: RefObject<HTMLOListElement | null>) {
  const [{ room, font }, setRoom] = useState({ room: Infinity, font: '' })
  useLayoutEffect(() => {
    const { current } = list
    if (!current) return
    const look = () => setRoom({ room: current.clientWidth, font: fontOf(current) })
    const watch = new ResizeObserver(look)
    watch.observe(current)
    look()
    return () => watch.disconnect()
  }, [list])
  return { room, widthOf: (text: string) => (font === '' ? 0 : measured(text, font)) }
}

/** The heaviest in the list, which is that of the current page. */
const fontOf = (element: Element): string => {
  const { fontSize, fontFamily } = getComputedStyle(element)
  return `550 ${fontSize} ${fontFamily}`
}
let pen: CanvasRenderingContext2D | null | undefined
function measured(text: string, font: string): number {
  pen ??= document.createElement('canvas').getContext('2d')
  if (!pen) return 0
  pen.font = font
  return Math.ceil(pen.measureText(text).width) + 1
}
