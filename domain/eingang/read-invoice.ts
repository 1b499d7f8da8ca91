// Reads an e-invoice into the terms of EN 16931: Cross Industry Invoice (XRechnung, ZUGFeRD, Factur-X) and UBL
// (Invoice, CreditNote). Nothing is computed and nothing is corrected: what the file says is kept as it says it.
import { isDay } from '../day.ts'
import type { XmlTree } from '../xml-tree.ts'
import { CII, CII_FAMILY, CII_ROOT } from './cii.ts'
import type { InvoiceGroup, ReadInvoice, Syntax } from './invoice.ts'
import type { GroupMap } from './mapping.ts'
import { find, type Reading, textsAt } from './paths.ts'
import { UBL, UBL_FAMILY, UBL_ROOTS } from './ubl.ts'

/** fremd: no invoice at all · zugferd_1: of the first ZUGFeRD, which is no invoice of EN 16931. */
export class NoInvoiceFault extends Error {
  override readonly name = 'NoInvoiceFault'
  readonly code: 'fremd' | 'zugferd_1'
  constructor(code: 'fremd' | 'zugferd_1') {
    super(code)
    this.code = code
  }
}

/** An embedded document (BT-125). */
export interface Attachment {
  readonly name: string
  readonly mime: string
  readonly base64: string
}

const DAYS = new Set(['BT-2', 'BT-7', 'BT-9', 'BT-26', 'BT-72', 'BT-73', 'BT-74', 'BT-134', 'BT-135'])

/** 20260331 (format 102 of UNTDID 2379) and 2026-03-31, with a time or a zone behind it; else as it is written. */
function dayOf(text: string): string {
  const [, year, month, day] = /^(\d{4})-?(\d\d)-?(\d\d)(?:(?:\d{4,6}|[TZ+-].{0,20})?)$/.exec(text) ?? []
  const iso = `${year}-${month}-${day}`
  return isDay(iso) ? iso : text
}

/** Bytes of a text in base64. */
const sizeOf = (base64: string): string => {
  const digits = base64.replaceAll(/\s|=+$/g, '').length
  return String(Math.floor((digits * 3) / 4))
}

const valueOf = (id: string, text: string): string =>
  id === 'BT-125' ? sizeOf(text) : DAYS.has(id) ? dayOf(text) : text

const CODED = /^#([A-Z]{3})#(.*)$/su

/** The code in front of a text as a separate term. */
function withoutCode(id: string, values: InvoiceGroup['terms']): InvoiceGroup['terms'] {
  const [text, texts] = Object.entries(values)[0] ?? ['', ['']]
  const [, code, rest = ''] = CODED.exec(texts[0] ?? '') ?? []
  return code === undefined ? values : { [id]: [code], ...(rest.trim() !== '' && { [text]: [rest] }) }
}

function readGroup(reading: Reading, element: XmlTree, map: GroupMap): InvoiceGroup {
  const { terms, groups = [], codeInFront } = map
  const values: Record<string, readonly string[]> = {}
  for (const [id, path] of terms) {
    const texts = textsAt(reading, element, path)
    if (texts.length > 0) values[id] = texts.map((text) => valueOf(id, text))
    if (id === 'BT-5') reading.currencies = { ...reading.currencies, document: texts[0] ?? '' }
    if (id === 'BT-6' && texts[0] !== reading.currencies.document)
      reading.currencies = { ...reading.currencies, tax: texts[0] ?? '' }
  }
  const inner: Record<string, readonly InvoiceGroup[]> = {}
  for (const group of groups) {
    const found = find(reading, element, group.path)
      .map((one) => readGroup(reading, one.element, group))
      .filter((one) => Object.keys(one.terms).length > 0 || Object.keys(one.groups).length > 0)
    if (found.length > 0) inner[group.id] = found
  }
  return { terms: codeInFront === undefined ? values : withoutCode(codeInFront, values), groups: inner }
}

function syntaxOf({ name, namespace }: XmlTree): Syntax {
  if (name === 'CrossIndustryInvoice' && namespace === CII_ROOT) return 'cii'
  if (UBL_ROOTS[name] === namespace) return 'ubl'
  throw new NoInvoiceFault(name === 'CrossIndustryDocument' ? 'zugferd_1' : 'fremd')
}

/** Say what an element is, or are there because the syntax requires them; the standard gives them no number. */
const SILENT = new RegExp(
  `/(?:${[
    'TaxScheme/ID',
    'TypeCode',
    'DocumentTypeCode',
    'Indicator',
    'ChargeIndicator',
    'UBLVersionID',
    'SpecifiedProcuringProject/Name',
  ].join('|')})$`,
)
const MOST_UNREAD = 50

function unreadOf(root: XmlTree, seen: ReadonlySet<XmlTree>): string[] {
  const found = new Set<string>()
  const look = (element: XmlTree, path: string): void => {
    if (found.size >= MOST_UNREAD) return
    const isLeaf = element.children.length === 0
    if (isLeaf && element.text.trim() !== '' && !seen.has(element) && !SILENT.test(path)) found.add(path)
    for (const child of element.children) look(child, `${path}/${child.name}`)
  }
  for (const child of root.children) look(child, child.name)
  return [...found]
}

const readingOf = (root: XmlTree): { reading: Reading; syntax: Syntax; map: GroupMap } => {
  const syntax = syntaxOf(root)
  const [map, family] = syntax === 'cii' ? [CII, CII_FAMILY] : [UBL, UBL_FAMILY]
  const currencies = { document: '', tax: '' }
  return { reading: { root, family, seen: new Set(), currencies }, syntax, map }
}

/** @throws NoInvoiceFault */
export function readInvoice(root: XmlTree): ReadInvoice {
  const { reading, syntax, map } = readingOf(root)
  const invoice = readGroup(reading, root, map)
  return { syntax, invoice, unread: unreadOf(root, reading.seen) }
}

/** Embedded documents with their content, in the order of the groups that have one (BG-24). */
export function attachmentsOf(root: XmlTree): Attachment[] {
  const { reading, map } = readingOf(root)
  const group = map.groups?.find(({ id }) => id === 'BG-24')
  if (group === undefined) return []
  const [, path = ''] = group.terms.find(([id]) => id === 'BT-125') ?? []
  return find(reading, root, group.path).flatMap(({ element }) =>
    find(reading, element, path)
      .slice(0, 1)
      .map(({ element: { text, attributes } }) => ({
        name: attributes['filename'] ?? '',
        mime: attributes['mimeCode'] ?? '',
        base64: text,
      })),
  )
}
