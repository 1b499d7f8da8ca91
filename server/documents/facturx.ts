// Marks a hybrid invoice: Typst attaches the XML, but does not write a Factur-X block into the metadata. This
// adds it, with the description of its schema that PDF/A requires.
// The metadata stream is replaced in place and the table of offsets is corrected: the file has one revision,
// nothing of the old stream stays, and no other byte changes.

export const XML_NAME = 'factur-x.xml'

const NAMESPACE = 'urn:factur-x:pdfa:CrossIndustryDocument:invoice:1p0#'

const PROPERTIES = [
  ['DocumentFileName', 'name of the embedded XML invoice file'],
  ['DocumentType', 'INVOICE'],
  ['Version', 'version of the Factur-X standard that the XML follows'],
  ['ConformanceLevel', 'profile of the XML invoice'],
] as const

const property = ([name, description]: (typeof PROPERTIES)[number]): string =>
  '<rdf:li rdf:parseType="Resource"><pdfaProperty:category>external</pdfaProperty:category>' +
  `<pdfaProperty:description>${description}</pdfaProperty:description><pdfaProperty:name>${name}</pdfaProperty:name>` +
  '<pdfaProperty:valueType>Text</pdfaProperty:valueType></rdf:li>'

const SCHEMA =
  '<rdf:li rdf:parseType="Resource"><pdfaSchema:schema>Factur-X PDFA Extension Schema</pdfaSchema:schema>' +
  `<pdfaSchema:namespaceURI>${NAMESPACE}</pdfaSchema:namespaceURI><pdfaSchema:prefix>fx</pdfaSchema:prefix>` +
  `<pdfaSchema:property><rdf:Seq>${PROPERTIES.map(property).join('')}</rdf:Seq></pdfaSchema:property></rdf:li>`

const MARK =
  `<rdf:Description rdf:about="" xmlns:fx="${NAMESPACE}"><fx:DocumentType>INVOICE</fx:DocumentType>` +
  `<fx:DocumentFileName>${XML_NAME}</fx:DocumentFileName><fx:Version>1.0</fx:Version>` +
  '<fx:ConformanceLevel>EN 16931</fx:ConformanceLevel></rdf:Description>'

/**
 * The file is not laid out the way the installed version of Typst writes it: after an update of Typst this
 * module has to be checked.
 */
const unexpected = (what: string): Error => new Error(`PDF without ${what}: the metadata cannot be completed`)

function insertBefore(text: string, mark: string, insertion: string): string {
  const at = text.lastIndexOf(mark)
  if (at === -1) throw unexpected(mark)
  return text.slice(0, at) + insertion + text.slice(at)
}

const completeXmp = (xmp: string): string =>
  insertBefore(insertBefore(xmp, '</rdf:Bag></pdfaExtension:schemas>', SCHEMA), '</rdf:RDF>', MARK)

const METADATA = /<<\s+\/Length (\d+)\s+\/Type \/Metadata\s+\/Subtype \/XML\s+>>\s+stream\r?\n/g

/** Marks a PDF by Typst with `factur-x.xml` attached as a Factur-X invoice. */
export function markAsFacturX(pdf: Uint8Array): Uint8Array {
  // Latin-1 keeps one character per byte.
  const file = Buffer.from(pdf.buffer, pdf.byteOffset, pdf.byteLength)
  const text = file.toString('latin1')
  const found = [...text.matchAll(METADATA)].at(-1)
  if (!found) throw unexpected('a metadata stream')
  const start = found.index + found[0].length
  const length = Number(found[1])
  const xmp = Buffer.from(completeXmp(file.toString('utf8', start, start + length)), 'utf8')
  const dictionary = found[0].replace(`/Length ${length}`, `/Length ${xmp.length}`)
  const grown = dictionary.length - found[0].length + xmp.length - length

  const tail = text.slice(start + length)
  const table = /\nxref\r?\n0 (\d+)\r?\n/.exec(tail)
  const startXref = /startxref\s+(\d+)\s+%%EOF\s*$/.exec(tail)
  if (!table || !startXref) throw unexpected('a table of offsets')
  const corrected = tail
    .replaceAll(/^(\d{10}) (\d{5} n)/gm, (line, offset: string, rest: string) =>
      Number(offset) > found.index ? `${String(Number(offset) + grown).padStart(10, '0')} ${rest}` : line,
    )
    .replace(/startxref\s+\d+/, `startxref\n${Number(startXref[1]) + grown}`)
  return Buffer.concat([
    file.subarray(0, found.index),
    Buffer.from(dictionary, 'latin1'),
    xmp,
    Buffer.from(corrected, 'latin1'),
  ])
}
