// Parses XML into a tree, strictly. Document types are refused, so that entities cannot expand; so is
// anything deeper or larger than a statement can be.
import { SaxesParser } from 'saxes'
import type { XmlTree } from '#domain/camt/xml.ts'

const MAX_DEPTH = 60
const MAX_ELEMENTS = 3_000_000

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

interface Growing {
  readonly name: string
  readonly namespace: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: Growing[]
  text: string
}

export function parseXml(xml: string): XmlTree {
  const parser = new SaxesParser({ xmlns: true })
  const open: Growing[] = []
  let root: Growing | null = null
  let count = 0
  parser.on('error', () => {
    throw new XmlFault('xml', parser.line)
  })
  parser.on('doctype', () => {
    throw new XmlFault('dtd', parser.line)
  })
  parser.on('opentag', ({ local, uri, attributes }) => {
    const named = Object.entries(attributes).map(([key, { value }]) => [key, value] as const)
    const element: Growing = {
      name: local,
      namespace: uri,
      attributes: Object.fromEntries(named),
      children: [],
      text: '',
    }
    count += 1
    if (open.length >= MAX_DEPTH || count > MAX_ELEMENTS) throw new XmlFault('tief', parser.line)
    open.at(-1)?.children.push(element)
    root ??= element
    open.push(element)
  })
  const say = (text: string) => {
    const element = open.at(-1)
    if (element !== undefined) element.text += text
  }
  parser.on('text', say)
  parser.on('cdata', say)
  parser.on('closetag', () => void open.pop())
  parser.write(xml).close()
  if (root === null) throw new XmlFault('xml', 1)
  return root
}
