// Parses XML of a bank into a tree, strictly (domain/xml-tree.ts).
import { SaxesParser } from 'saxes'
import { type XmlTree, xmlTreeBuilder } from '#domain/xml-tree.ts'

const LIMITS = { depth: 60, elements: 3_000_000 }

export function parseXml(xml: string): XmlTree {
  const parser = new SaxesParser({ xmlns: true })
  const tree = xmlTreeBuilder(LIMITS, () => parser.line)
  parser.on('error', () => tree.refuse('xml'))
  parser.on('doctype', () => tree.refuse('dtd'))
  parser.on('opentag', ({ local, uri, attributes }) => {
    const named = Object.entries(attributes).map(([key, { value }]) => [key, value] as const)
    tree.open(local, uri, Object.fromEntries(named))
  })
  parser.on('text', tree.text)
  parser.on('cdata', tree.text)
  parser.on('closetag', tree.close)
  parser.write(xml).close()
  return tree.end()
}
