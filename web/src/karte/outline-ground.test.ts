import { expect, test } from 'vitest'
import proj4 from 'proj4'
import { type Ground, type Point } from './ground.ts'
import { mercator } from './mercator.ts'
import { fromSpot, groundAround, spotOf } from './outline-ground.ts'

const UTM32 = '+proj=utm +zone=32 +ellps=GRS80 +units=m'
const DHDN3 = '+proj=tmerc +lat_0=0 +lon_0=9 +k=1 +x_0=3500000 +ellps=bessel +units=m'
const boxAround = (lon: number, lat: number) => ({ west: lon, east: lon, south: lat, north: lat })

// Far from the middle meridian, where the systems are turned most.
for (const [epsg, system, lon, lat] of [
  [25832, UTM32, 6.1, 51.2],
  [25832, UTM32, 13.2, 48.6],
  [31467, DHDN3, 7.7, 48],
] as const)
  test(`a place 10 km away lies where the surveying system has it: ${epsg} at ${lon}° E`, () => {
    const [dLon, dLat] = [0.1, 0.06]
    const [x0, y0] = proj4(system, [lon, lat])
    const [x, y] = proj4(system, [lon + dLon, lat + dLat])
    const [right, down] = fromSpot(spotOf(epsg, boxAround(lon, lat)), mercator(lon + dLon, lat + dLat))
    expect(Math.hypot(right - (x! - x0!), down + (y! - y0!))).toBeLessThan(100)
  })

test('only what is near is drawn', () => {
  const at = (lon: number, lat: number): Point => mercator(lon, lat)
  const ground: Ground = {
    land: [],
    germany: [],
    lakes: [],
    countries: [],
    states: [[at(7, 50), at(7.1, 50), at(12, 53)]],
    districts: [[at(12, 53), at(12.1, 53)]],
    rivers: [],
    countryNames: [],
    stateNames: [],
    riverNames: [],
    places: [
      { name: 'near', rank: 5, at: at(7.01, 50.01) },
      { name: 'far', rank: 0, at: at(9, 50) },
    ],
  }
  const { borders, districts, places } = groundAround(ground, spotOf(4326, boxAround(7, 50)), 5_000)
  expect(borders).toMatch(/^M0 0L71\d\d /)
  expect(districts).toBe('')
  expect(places.map(({ name }) => name)).toEqual(['near'])
})
