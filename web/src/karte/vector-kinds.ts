// What the objects of a vector base map are, in the words of our style, whichever of the two usual schemas the
// file has: Protomaps (layers such as earth, roads, places) or OpenMapTiles (transportation, place). Pure.

export type Surface =
  | 'land'
  | 'town'
  | 'field'
  | 'grass'
  | 'forest'
  | 'wetland'
  | 'sand'
  | 'water'
  | 'building'
export type Line = 'stream' | 'border' | 'rail' | 'motorway' | 'main' | 'minor' | 'track' | 'path'
export type Label = 'country' | 'state' | 'city' | 'town' | 'village' | 'hamlet' | 'water' | 'road'

export type Kind =
  | { readonly art: 'flaeche'; readonly is: Surface }
  | { readonly art: 'linie'; readonly is: Line; readonly name: string }
  | { readonly art: 'name'; readonly is: Label; readonly name: string }

export type Properties = Readonly<Record<string, unknown>>
type Geometry = 'point' | 'line' | 'area'

const text = (value: unknown): string => (typeof value === 'string' ? value : '')
/** German where the map has it. */
export const nameOf = (is: Properties): string =>
  text(is['name:de']) || text(is['name_de']) || text(is['name']) || text(is['ref'])
/** Protomaps wrote pmap:kind up to its third version; OpenMapTiles says class. */
const kindOf = (is: Properties): string => text(is['kind']) || text(is['pmap:kind']) || text(is['class'])
const detailOf = (is: Properties): string =>
  text(is['kind_detail']) || text(is['pmap:kind_detail']) || text(is['subclass'])

const table = <T extends string>(words: Readonly<Record<T, string>>): ReadonlyMap<string, T> =>
  new Map(
    Object.entries<string>(words).flatMap(([is, list]) =>
      list.split(' ').map((word) => [word, is as T] as const),
    ),
  )

const COVER = table<Exclude<Surface, 'land' | 'water' | 'building'>>({
  forest: 'forest wood scrub nature_reserve national_park protected_area',
  grass:
    'grass grassland meadow park golf_course recreation_ground village_green garden cemetery pitch heath',
  field: 'farmland farm farmyard orchard vineyard allotments',
  wetland: 'wetland swamp marsh bog',
  sand: 'sand beach rock bare_rock barren quarry scree',
  town: 'residential urban_area industrial commercial retail railway school hospital university military suburb',
})
const ROADS = table<Exclude<Line, 'border' | 'stream'>>({
  motorway: 'highway motorway trunk',
  main: 'major_road primary secondary tertiary medium_road',
  minor: 'minor_road minor service other',
  track: 'track',
  path: 'path',
  rail: 'rail transit',
})
const PLACES = table<Exclude<Label, 'road' | 'water'>>({
  country: 'country',
  state: 'state region',
  city: 'city',
  town: 'town',
  village: 'village',
  hamlet: 'hamlet suburb neighbourhood quarter isolated_dwelling macrohood farm locality',
})

const area = (is: Surface): Kind => ({ art: 'flaeche', is })
const named = (is: Label, properties: Properties): Kind | null => {
  const name = nameOf(properties)
  return name === '' ? null : { art: 'name', is, name }
}

function coverOf(is: Properties): Kind | null {
  const found = COVER.get(kindOf(is)) ?? COVER.get(detailOf(is))
  return found === undefined ? null : area(found)
}

function roadOf(is: Properties): Kind | null {
  // Protomaps counts tracks among paths or other roads, OpenMapTiles says it in the class.
  const found = detailOf(is) === 'track' ? 'track' : ROADS.get(kindOf(is))
  return found === undefined ? null : { art: 'linie', is: found, name: found === 'rail' ? '' : nameOf(is) }
}

function waterOf(is: Properties, geometry: Geometry): Kind | null {
  if (geometry === 'area') return area('water')
  if (geometry === 'point') return named('water', is)
  return { art: 'linie', is: 'stream', name: nameOf(is) }
}

function placeOf(is: Properties): Kind | null {
  const found = PLACES.get(detailOf(is)) ?? PLACES.get(kindOf(is))
  return found === undefined ? null : named(found, is)
}

/** Down to districts; municipal borders would cover the stands. */
function borderOf(is: Properties): Kind | null {
  const level = Number(is['admin_level'] ?? is['kind_detail'] ?? is['pmap:min_admin_level'] ?? 2)
  const isLocal = level > 6 || ['locality', 'county'].includes(kindOf(is))
  return isLocal || is['maritime'] === 1 ? null : { art: 'linie', is: 'border', name: '' }
}

/** Null for what is not drawn. */
export function vectorKind(layer: string, is: Properties, geometry: Geometry): Kind | null {
  switch (layer) {
    case 'earth':
      return geometry === 'area' ? area('land') : null
    case 'landcover':
    case 'landuse':
    case 'natural':
      return geometry === 'area' ? coverOf(is) : null
    case 'park':
      return geometry === 'area' ? area('grass') : null
    case 'water':
    case 'waterway':
    case 'physical_line':
      return waterOf(is, geometry)
    case 'water_name':
      return named('water', is)
    case 'roads':
    case 'transit':
    case 'transportation':
      return geometry === 'line' ? roadOf(is) : null
    case 'transportation_name': {
      const name = nameOf(is)
      return geometry === 'line' && name !== '' ? { art: 'name', is: 'road', name } : null
    }
    case 'buildings':
    case 'building':
      return geometry === 'area' ? area('building') : null
    case 'boundaries':
    case 'boundary':
      return geometry === 'line' ? borderOf(is) : null
    case 'places':
    case 'place':
      return geometry === 'point' ? placeOf(is) : null
    default:
      return null
  }
}
