import { expect, test } from 'vitest'
import { nameOf, type Properties, vectorKind } from './vector-kinds.ts'

type Case = readonly [
  layer: string,
  is: Properties,
  geometry: 'point' | 'line' | 'area',
  drawn: string | null,
]
const inShort = ([layer, is, geometry]: Case): string | null => {
  const kind = vectorKind(layer, is, geometry)
  if (kind === null) return null
  return kind.art === 'flaeche' || kind.name === '' ? kind.is : `${kind.is} ${kind.name}`
}

test.each<Case>([
  ['earth', { kind: 'earth' }, 'area', 'land'],
  ['earth', { kind: 'cliff' }, 'line', null],
  ['landcover', { kind: 'forest' }, 'area', 'forest'],
  ['landuse', { kind: 'wood' }, 'area', 'forest'],
  ['natural', { 'pmap:kind': 'wood' }, 'area', 'forest'],
  ['landuse', { kind: 'residential' }, 'area', 'town'],
  ['landuse', { kind: 'forest', name: 'Reiersdorf' }, 'point', null],
  ['landuse', { kind: 'something new' }, 'area', null],
  ['water', { kind: 'lake', name: 'Grimnitzsee' }, 'area', 'water'],
  ['water', { kind: 'stream', name: 'Welse' }, 'line', 'stream Welse'],
  ['water', { kind: 'lake', name: 'Grimnitzsee' }, 'point', 'water Grimnitzsee'],
  ['physical_line', { 'pmap:kind': 'river', name: 'Oder' }, 'line', 'stream Oder'],
  ['roads', { kind: 'highway', ref: 'A 11' }, 'line', 'motorway A 11'],
  ['roads', { kind: 'major_road', kind_detail: 'secondary', name: 'Dorfstraße' }, 'line', 'main Dorfstraße'],
  ['roads', { kind: 'minor_road', kind_detail: 'track' }, 'line', 'track'],
  ['roads', { kind: 'path', kind_detail: 'footway' }, 'line', 'path'],
  ['roads', { kind: 'rail', name: 'Strecke 6081' }, 'line', 'rail'],
  ['roads', { kind: 'ferry' }, 'line', null],
  ['buildings', { kind: 'building' }, 'area', 'building'],
  ['boundaries', { kind: 'country', kind_detail: 2 }, 'line', 'border'],
  ['boundaries', { kind: 'county', kind_detail: 6 }, 'line', null],
  [
    'places',
    { kind: 'locality', kind_detail: 'village', name: 'Ringenwalde' },
    'point',
    'village Ringenwalde',
  ],
  ['places', { kind: 'country', name: 'Germany', 'name:de': 'Deutschland' }, 'point', 'country Deutschland'],
  ['places', { kind: 'locality', kind_detail: 'village' }, 'point', null],
  ['pois', { kind: 'bench' }, 'point', null],
])('Protomaps: %s %j as %s is %s', (...one) => expect(inShort(one)).toBe(one[3]))

test.each<Case>([
  ['landcover', { class: 'wood', subclass: 'forest' }, 'area', 'forest'],
  ['landcover', { class: 'farmland' }, 'area', 'field'],
  ['landuse', { class: 'industrial' }, 'area', 'town'],
  ['park', { class: 'nature_reserve' }, 'area', 'grass'],
  ['water', { class: 'lake' }, 'area', 'water'],
  ['waterway', { class: 'ditch', name: 'Graben 12' }, 'line', 'stream Graben 12'],
  ['water_name', { class: 'lake', name: 'Werbellinsee' }, 'point', 'water Werbellinsee'],
  ['transportation', { class: 'motorway' }, 'line', 'motorway'],
  ['transportation', { class: 'tertiary' }, 'line', 'main'],
  ['transportation', { class: 'track' }, 'line', 'track'],
  ['transportation', { class: 'path', subclass: 'footway' }, 'line', 'path'],
  ['transportation', { class: 'pier' }, 'area', null],
  ['transportation_name', { class: 'secondary', ref: 'L 23' }, 'line', 'road L 23'],
  ['building', { render_height: 5 }, 'area', 'building'],
  ['boundary', { admin_level: 4 }, 'line', 'border'],
  ['boundary', { admin_level: 8 }, 'line', null],
  ['boundary', { admin_level: 2, maritime: 1 }, 'line', null],
  ['place', { class: 'town', name: 'Angermünde', rank: 9 }, 'point', 'town Angermünde'],
  ['place', { class: 'state', name: 'Brandenburg' }, 'point', 'state Brandenburg'],
  ['poi', { class: 'shop', name: 'x' }, 'point', null],
])('OpenMapTiles: %s %j as %s is %s', (...one) => expect(inShort(one)).toBe(one[3]))

test('a name is the German one, then its own, then the number of a road', () => {
  expect(nameOf({ name: 'Szczecin', 'name:de': 'Stettin' })).toBe('Stettin')
  expect(nameOf({ name: 'Szczecin', 'name:de': '' })).toBe('Szczecin')
  expect(nameOf({ ref: 'B 198', name: 12 })).toBe('B 198')
  expect(nameOf({})).toBe('')
})
