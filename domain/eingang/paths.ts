// Where a term is in a syntax: paths of local names, with conditions in brackets, and alternatives.
//   'Party/PartyName/Name'              from the element of the group
//   '/PaymentMeans/PaymentID'           from the root
//   'ID[@schemeID=VA]'                  an attribute or, without @, a child has this value; != has not
//   'TaxAmount[@currencyID?=$document]' has it or says nothing; $document and $tax are currencies of the invoice
//   'BilledQuantity@unitCode'           an attribute
//   'A|B'                               the first of them that is there
import type { XmlTree } from '../xml-tree.ts'

export interface Currencies {
  readonly document: string
  readonly tax: string
}

/** What is read of a file: where, and which elements nobody has read yet. */
export interface Reading {
  readonly root: XmlTree
  /** Elements of other namespaces are extensions, and never meant. */
  readonly family: string
  readonly seen: Set<XmlTree>
  currencies: Currencies
}

interface Found {
  readonly element: XmlTree
  readonly attribute: string | null
}

const STEP = /^(\w+)(?:\[([\w@/]+)(!=|\?=|=)([^\]]*)\])?(?:@(\w+))?$/
const STEPS = /(?:[^/[]|\[[^\]]*\])+/g

function fulfils(
  reading: Reading,
  element: XmlTree,
  [key, operator, given]: readonly [string, string, string],
): boolean {
  const wanted =
    given === '$document' ? reading.currencies.document : given === '$tax' ? reading.currencies.tax : given
  const value = key.startsWith('@')
    ? element.attributes[key.slice(1)]
    : find(reading, element, key)[0]?.element.text.trim()
  // Conditions are read as well: they say what the element is.
  if (!key.startsWith('@')) for (const one of find(reading, element, key)) reading.seen.add(one.element)
  if (operator === '!=') return value !== wanted
  return value === wanted || (operator === '?=' && value === undefined)
}

function walk(reading: Reading, from: XmlTree, path: string): Found[] {
  let found: readonly XmlTree[] = [path.startsWith('/') ? reading.root : from]
  let attribute: string | null = null
  for (const step of path.match(STEPS) ?? []) {
    const [, name = '', key, operator = '', value = '', attributeName] = STEP.exec(step) ?? []
    found = found.flatMap(({ children }) =>
      children.filter(
        (child) =>
          child.name === name &&
          child.namespace.startsWith(reading.family) &&
          (key === undefined || fulfils(reading, child, [key, operator, value])),
      ),
    )
    attribute = attributeName ?? null
  }
  return found.map((element) => ({ element, attribute }))
}

export function find(reading: Reading, from: XmlTree, path: string): readonly Found[] {
  if (path === '') return [{ element: from, attribute: null }]
  for (const way of path.split('|')) {
    const found = walk(reading, from, way)
    if (found.length > 0) return found
  }
  return []
}

/** Texts at a path, without empty ones. Line ends stay, blanks at the ends go. */
export function textsAt(reading: Reading, from: XmlTree, path: string): readonly string[] {
  return find(reading, from, path).flatMap(({ element, attribute }) => {
    if (attribute === null) reading.seen.add(element)
    const text = (attribute === null ? element.text : (element.attributes[attribute] ?? '')).trim()
    return text === '' ? [] : [text]
  })
}
