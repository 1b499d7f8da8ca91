// Geometries that an object names instead of holding (xlink:href="#id"), put in from the same file. What is
// elsewhere is never looked at; what is missing, goes in circles or is too much stays as it is, and is
// reported.
import type { XmlTree } from '#domain/xml-tree.ts'
import { elementsById } from './gml-features.ts'
import { isGeometry } from './gml-shape.ts'

/** Names looked up in one pass, and passes: what was found may name more. */
const MOST_NAMES = 50_000
const MOST_STEPS = 5
/** Elements put in, of the whole file: a geometry counts each time it is used. So many letters count as one. */
const MOST_ELEMENTS = 2_000_000
const LETTERS = 20

/** Properties of this name that refer to something have a geometry elsewhere. */
export const GEOMETRY_NAME =
  /^(?:the_)?geom(?:etr(?:y|ie))?$|^(?:position|location|\w*Property|centerOf|extentOf|edgeOf)$/i

const nameIn = ({ children, attributes }: XmlTree): string | null => {
  const { href } = attributes
  return children.length === 0 && href?.startsWith('#') === true ? href.slice(1) : null
}

/** Puts in what it has; counts what that costs. */
export interface References {
  readonly resolve: (feature: XmlTree) => XmlTree
}
export const NO_REFERENCES: References = { resolve: (feature) => feature }

/** Adds the names of the geometries that an element refers to. */
export function addNames(names: Set<string>, element: XmlTree, inGeometry = false): void {
  const inside = inGeometry || isGeometry(element)
  for (const child of element.children) {
    const name = inside || GEOMETRY_NAME.test(child.name) ? nameIn(child) : null
    if (name !== null && names.size < MOST_NAMES) names.add(name)
    addNames(names, child, inside)
  }
}

/** Reads the file again for what the names stand for, and again for what that names. */
export function findReferences(pieces: () => Iterable<Buffer>, names: ReadonlySet<string>): References {
  const found = new Map<string, XmlTree>()
  let wanted = names
  for (let step = 0; step < MOST_STEPS && wanted.size > 0; step++) {
    const next = new Set<string>()
    for (const [id, element] of elementsById(pieces(), wanted)) {
      found.set(id, element)
      addNames(next, element)
    }
    wanted = new Set([...next].filter((id) => !found.has(id)))
  }
  return found.size === 0 ? NO_REFERENCES : createReferences(found)
}

function createReferences(found: ReadonlyMap<string, XmlTree>): References {
  let left = MOST_ELEMENTS
  function put(element: XmlTree, inGeometry: boolean, way: readonly string[]): XmlTree {
    const inside = inGeometry || isGeometry(element)
    let isSame = true
    const children = element.children.map((child) => {
      if (way.length > 0) left -= 1 + child.text.length / LETTERS
      const name = inside || GEOMETRY_NAME.test(child.name) ? nameIn(child) : null
      const after = name === null ? put(child, inside, way) : follow(child, name, way)
      isSame &&= after === child
      return after
    })
    return isSame ? element : { ...element, children }
  }
  function follow(property: XmlTree, name: string, way: readonly string[]): XmlTree {
    const target = found.get(name)
    if (target === undefined || way.includes(name) || way.length >= MOST_STEPS || left <= 0) return property
    const { href: _href, ...attributes } = property.attributes
    return { ...property, attributes, children: [put(target, true, [...way, name])] }
  }
  return { resolve: (feature) => put(feature, false, []) }
}
