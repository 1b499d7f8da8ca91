// The blocks of the start page and their order: the product's, changed by the person's.
import { hasOneOf, type Role } from '#domain/roles.ts'
import { t } from '../../ui/text.ts'

export const BLOCKS = [
  'setup',
  'waiting',
  'news',
  'recent',
  'map',
  'holdings',
  'drainage',
  'numbers',
] as const
export type Block = (typeof BLOCKS)[number]

export const blockName = (block: Block): string =>
  ({
    setup: t('Einrichtung'),
    waiting: t('Was auf Sie wartet'),
    news: t('Neu seit Ihrem letzten Besuch'),
    recent: t('Zuletzt geöffnet'),
    map: t('Karte'),
    holdings: t('Meine Forstbetriebe'),
    drainage: t('Meine Pläne und mein Kataster'),
    numbers: t('Zahlen und Entwicklung'),
  })[block]

const STAFF: readonly Role[] = ['ogf_admin', 'ogf_team', 'apus_admin', 'apus_team', 'admin']

/** Customers of the drainage side. The provider's people view one customer at a time, on other pages. */
const hasDrainage = (roles: readonly Role[]): boolean =>
  hasOneOf(roles, ['appuser', 'appuser_admin']) && !hasOneOf(roles, ['admin', 'apus_admin', 'apus_team'])

/** The blocks that there are for this person, in the product's order. */
export function blocksFor(roles: readonly Role[], holdings: number): readonly Block[] {
  const staff = hasOneOf(roles, STAFF)
  const there: Record<Block, boolean> = {
    setup: hasOneOf(roles, ['ogf_admin', 'apus_admin', 'admin']),
    waiting: staff || hasOneOf(roles, ['kundenadmin', 'appuser_admin', 'ogf_standard', 'ogf_fb_admin']),
    news: true,
    recent: true,
    map: staff || roles.includes('kundenadmin') || hasDrainage(roles),
    holdings: holdings > 0,
    drainage: hasDrainage(roles),
    // Others see their figures beside their holding or their plans.
    numbers: staff || roles.includes('kundenadmin'),
  }
  return BLOCKS.filter((block) => there[block])
}

export interface Arrangement {
  readonly order: readonly string[]
  readonly hidden: readonly string[]
}

/** In the person's order; blocks that it does not name stay behind the one that precedes them in the product. */
export function arranged(there: readonly Block[], { order }: Pick<Arrangement, 'order'>): readonly Block[] {
  const known = order.filter((one): one is Block => there.includes(one as Block))
  return there.reduce<readonly Block[]>((all, block, at) => {
    if (all.includes(block)) return all
    const before = there.slice(0, at).findLast((one) => all.includes(one))
    const place = before === undefined ? 0 : all.indexOf(before) + 1
    return all.toSpliced(place, 0, block)
  }, known)
}

/** The order after one block has moved up (-1) or down (1). */
export function moved(order: readonly Block[], block: Block, by: -1 | 1): readonly Block[] {
  const at = order.indexOf(block)
  const to = at + by
  return at < 0 || to < 0 || to >= order.length ? order : order.toSpliced(at, 1).toSpliced(to, 0, block)
}

/** Height of a narrow block in relation to the others; the rest take the whole width. */
const NARROW: Partial<Record<Block, number>> = { news: 1, recent: 2, map: 4, numbers: 6 }

/** A block that takes the whole width, or narrow ones in two columns. */
export type Row = Block | readonly [left: readonly Block[], right: readonly Block[]]

/** Rows of the page: narrow blocks that follow each other stand in two columns of about the same height. */
export function rowsOf(blocks: readonly Block[]): readonly Row[] {
  const rows: Row[] = []
  let narrow: Block[] = []
  const height = (column: readonly Block[]) => column.reduce((sum, one) => sum + (NARROW[one] ?? 0), 0)
  const unlike = ([left, right]: readonly [readonly Block[], readonly Block[]]) =>
    Math.abs(height(left) - height(right))
  const close = () => {
    const splits = narrow.slice(1).map((_, at) => [narrow.slice(0, at + 1), narrow.slice(at + 1)] as const)
    const [best] = splits.toSorted((a, b) => unlike(a) - unlike(b))
    if (best) rows.push(best)
    else rows.push(...narrow)
    narrow = []
  }
  for (const block of blocks)
    if (NARROW[block] === undefined) {
      close()
      rows.push(block)
    } else narrow.push(block)
  close()
  return rows
}
