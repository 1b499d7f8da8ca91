// Parses XML strictly into a tree that tests can query: refuses malformed input and characters that XML
// forbids.
import { SaxesParser } from 'saxes'

export interface Element {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: readonly Element[]
  /** Its own text; for an element with children, only what is between them. */
  readonly text: string
}

export function parseXml(xml: string): Element {
  const parser = new SaxesParser({ xmlns: true })
  const open: { name: string; attributes: Record<string, string>; children: Element[]; text: string }[] = []
  let root: Element | null = null
  parser.on('error', (error) => {
    throw error
  })
  parser.on('opentag', ({ name, attributes }) => {
    const element = {
      name,
      attributes: Object.fromEntries(Object.entries(attributes).map(([key, { value }]) => [key, value])),
      children: [],
      text: '',
    }
    open.at(-1)?.children.push(element)
    root ??= element
    open.push(element)
  })
  parser.on('text', (text) => {
    const element = open.at(-1)
    if (element !== undefined) element.text += text
  })
  parser.on('closetag', () => void open.pop())
  parser.write(xml).close()
  if (root === null) throw new Error('no element')
  return root
}

/**
 * All elements at a path below one, such as "ram:ApplicableHeaderTradeSettlement/ram:ApplicableTradeTax";
 * "**" before a name matches at any depth.
 */
export function all(element: Element, path: string): Element[] {
  return path.split('/').reduce<Element[]>(
    (found, step) => {
      if (!step.startsWith('**'))
        return found.flatMap(({ children }) => children.filter(({ name }) => name === step))
      return found.flatMap((one) => descendants(one).filter(({ name }) => name === step.slice(2)))
    },
    [element],
  )
}
const descendants = ({ children }: Element): Element[] =>
  children.flatMap((child) => [child, ...descendants(child)])

/** Names of all elements without content. */
export const emptyElements = (root: Element): string[] =>
  descendants(root)
    .filter((element) => element.children.length === 0 && element.text.trim() === '')
    .map(({ name }) => name)

export const texts = (element: Element, path: string): string[] => all(element, path).map(({ text }) => text)

/** The text at a path that matches at most one element. */
export function text(element: Element, path: string): string | null {
  const [found, second] = all(element, path)
  if (second !== undefined) throw new Error(`${path} is there more than once`)
  return found?.text ?? null
}
