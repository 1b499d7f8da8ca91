// A parsed XML file as a tree. The parsers of both sides, which are libraries, put their events in here: document
// types are refused, so that entities cannot expand, and so is anything deeper or larger than a file of its kind.

/** An element with its local name; `text` is its own text. */
export interface XmlTree {
  readonly name: string
  readonly namespace: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: readonly XmlTree[]
  readonly text: string
}

/**
 * xml: not well-formed · dtd: a document type · tief: nested too deep, or too many elements. `zeile` counts
 * from 1.
 */
export class XmlFault extends Error {
  override readonly name = 'XmlFault'
  readonly code: 'xml' | 'dtd' | 'tief'
  readonly zeile: number
  constructor(code: 'xml' | 'dtd' | 'tief', row: number) {
    super(code)
    this.code = code
    this.zeile = row
  }
}

export interface XmlLimits {
  readonly depth: number
  readonly elements: number
}

interface Growing extends XmlTree {
  readonly children: Growing[]
  text: string
}

/** What a parser tells, in order. `line`: where it is. */
export function xmlTreeBuilder({ depth, elements }: XmlLimits, line: () => number) {
  const open: Growing[] = []
  let root: Growing | null = null
  let count = 0
  return {
    refuse: (code: XmlFault['code']): never => {
      throw new XmlFault(code, line())
    },
    open(name: string, namespace: string, attributes: Readonly<Record<string, string>>): void {
      const element: Growing = { name, namespace, attributes, children: [], text: '' }
      count += 1
      if (open.length >= depth || count > elements) throw new XmlFault('tief', line())
      open.at(-1)?.children.push(element)
      root ??= element
      open.push(element)
    },
    text(text: string): void {
      const element = open.at(-1)
      if (element !== undefined) element.text += text
    },
    close: (): void => void open.pop(),
    end(): XmlTree {
      if (root === null) throw new XmlFault('xml', 1)
      return root
    },
  }
}
