/** Lists: as many items on a line as it takes. */
import {
  append,
  commentsAbove,
  endColumn,
  fits,
  freshPlace,
  type Layout,
  type Place,
  pad,
} from './sql-page.ts'
import { flat, type Nodes } from './sql-tree.ts'

export interface Item {
  readonly nodes: Nodes
  /** A key that stays on the line where its value begins. */
  readonly key?: string
}

/** Pairs of key and value of json_build_object are one item each. */
export function pairItems(items: readonly Nodes[]): readonly Item[] {
  if (items.length % 2 !== 0) return items.map((nodes) => ({ nodes }))
  return items.flatMap((nodes, at) => {
    const value = items[at + 1]
    if (at % 2 !== 0 || value === undefined) return []
    return [{ nodes: value, key: `${flat(nodes)}, ` }]
  })
}

class Packer {
  private lines: string[] = ['']
  private isEmpty = true
  private readonly place: Place
  private readonly comma: string
  private readonly layout: Layout

  constructor(place: Place, comma: string, layout: Layout) {
    this.place = place
    this.comma = comma
    this.layout = layout
  }

  pack(items: readonly Item[]): string[] {
    for (const [at, item] of items.entries()) {
      const isLast = at === items.length - 1
      this.add(
        item,
        isLast ? '' : this.comma,
        isLast ? this.place.tail : this.comma.length,
        items.length === 1,
      )
    }
    return this.lines
  }

  private add(item: Item, comma: string, tail: number, alone: boolean): void {
    const { width, indent, hang, column } = this.place
    const key = item.key ?? ''
    const space = this.isEmpty ? '' : ' '
    const at = endColumn(this.lines, column) + space.length + key.length
    const comments = this.lines.length === 1 && this.isEmpty ? [] : commentsAbove(item.nodes, hang, width)
    if (comments.length === 0 && fits(item.nodes, { ...this.place, column: at, tail })) {
      this.lines = append(this.lines, [`${space}${key}${flat(item.nodes)}${comma}`])
      this.isEmpty = false
      return
    }
    const isStart = this.isEmpty && (alone || column === hang || column === indent) && comments.length === 0
    const start: Place = isStart
      ? { ...this.place, column: at, tail, ...(alone || column !== hang ? {} : { hang: hang + 2 }) }
      : { ...freshPlace(width, hang, tail), column: hang + key.length }
    const text = append([key], append(this.layout(item.nodes, start), [comma]))
    if (isStart) this.lines = append(this.lines, text)
    else this.lines.push(...comments, ...append([pad(hang, '')], text))
    this.isEmpty = (text.length > 1 || text[0]?.includes('\n') === true) && comma !== ''
    if (this.isEmpty) this.lines.push(pad(hang, ''))
  }
}

/** Items with a comma behind each, or with none; the first may begin on the line that is begun. */
export function layoutItems(items: readonly Item[], place: Place, layout: Layout, comma = ','): string[] {
  const lines = new Packer(place, comma, layout).pack(items)
  return lines.filter((line, at) => at === 0 || line.trim() !== '')
}
