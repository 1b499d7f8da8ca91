// Parses XML of others (an invoice, the description of a service) strictly: no document type, so no entities of
// its own, and bounded in depth and number of elements.
import { SaxesParser } from 'saxes'
import { type XmlTree, xmlTreeBuilder } from '#domain/xml-tree.ts'

const LIMITS = { depth: 40, elements: 300_000 }

/** @throws XmlFault */
export function parseXml(xml: string, limits = LIMITS): XmlTree {
  const parser = new SaxesParser({ xmlns: true })
  const tree = xmlTreeBuilder(limits, () => parser.line)
  parser.on('error', () => tree.refuse('xml'))
  parser.on('doctype', () => tree.refuse('dtd'))
  parser.on('opentag', ({ local, uri, attributes }) =>
    tree.open(
      local,
      uri,
      Object.fromEntries(Object.values(attributes).map(({ local: key, value }) => [key, value] as const)),
    ),
  )
  parser.on('text', tree.text)
  parser.on('cdata', tree.text)
  parser.on('closetag', tree.close)
  parser.write(xml).close()
  return tree.end()
}
