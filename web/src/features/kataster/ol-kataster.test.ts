import Point from 'ol/geom/Point.js'
import LineString from 'ol/geom/LineString.js'
import Polygon from 'ol/geom/Polygon.js'
import Feature from 'ol/Feature.js'
import type Style from 'ol/style/Style.js'
import { expect, test } from 'vitest'
import { planeAt } from '#domain/border/plane.ts'
import { mercator } from '../../karte/mercator.ts'
import { sizeOf, styleOf } from './ol-kataster.ts'

const styles = (is: object, resolution: number): Style[] => {
  const feature = new Feature(new Point([0, 0]))
  feature.setProperties({ vermessen: true, ...is })
  return [styleOf(new Set(), null)(feature, resolution) ?? []].flat()
}
const namesOf = (is: object, resolution: number) =>
  styles(is, resolution).flatMap((style) => style.getText()?.getText() ?? [])

test('near the ground a manhole has its name, drains and what has none do not', () => {
  expect(namesOf({ layer: 'schacht', schluessel: 'S-12' }, 1)).toEqual(['S-12'])
  expect(namesOf({ layer: 'schacht', schluessel: 'S-12' }, 4)).toEqual([])
  expect(namesOf({ layer: 'schacht' }, 1)).toEqual([])
  expect(namesOf({ layer: 'draenage', schluessel: 'D-1' }, 1)).toEqual([])
  expect(namesOf({ layer: 'einlauf', schluessel: 'x'.repeat(80) }, 1)[0]).toHaveLength(24)
})
test('names make way for each other and for signs, signs for nothing', () => {
  const [sign, name] = styles({ layer: 'schacht', schluessel: 'S-12' }, 1)
  expect(sign?.getImage()?.getDeclutterMode()).toBe('obstacle')
  expect(name?.getText()?.getDeclutterMode()).toBeUndefined()
  const [, other] = styles({ layer: 'einlauf', schluessel: 'E-1' }, 1)
  expect(name!.getZIndex()).toBeGreaterThan(other!.getZIndex()!)
  const [heap] = styles({ layer: 'haufen', schacht: 9 }, 1)
  expect([heap?.getImage()?.getDeclutterMode(), heap?.getText()?.getDeclutterMode()]).toEqual([
    'obstacle',
    'obstacle',
  ])
})

test('what is measured on the map are metres of the ellipsoid, in every direction', () => {
  const plane = planeAt({ lon: 13, lat: 53.5 })
  const at = (x: number, y: number) => {
    const { lon, lat } = plane.from({ x, y })
    return mercator(lon, lat)
  }
  expect(sizeOf(new LineString([at(-500, 0), at(500, 0)]))).toBeCloseTo(1_000, 2)
  expect(sizeOf(new LineString([at(0, -500), at(0, 500)]))).toBeCloseTo(1_000, 2)
  const square = [at(-50, -50), at(50, -50), at(50, 50), at(-50, 50), at(-50, -50)]
  expect(sizeOf(new Polygon([square]))).toBeCloseTo(10_000, 0)
})
