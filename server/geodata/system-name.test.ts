// Names of coordinate systems by which files name them that have no number.
import { describe, expect, test } from 'vitest'
import { EPSG_CODES } from '#domain/epsg.ts'
import { esriWkt } from './esri-wkt.ts'
import { epsgOfSystemName } from '#domain/epsg-name.ts'

describe('a system by its name', () => {
  test.each(EPSG_CODES)('EPSG:%i as Esri names it', (code) => {
    const name = /^(?:PROJCS|GEOGCS)\["([^"]+)"/.exec(esriWkt(code))![1]!
    expect(epsgOfSystemName(name)).toBe(code)
  })
  test.each([
    ['ETRS89 / UTM zone 33N', 25_833],
    ['ETRS89 / UTM zone 32N (zE-N)', 4647],
    ['WGS 84 / UTM zone 32N', 25_832],
    ['WGS_1984_UTM_Zone_33N', 25_833],
    ['DHDN / 3-degree Gauss-Kruger zone 3', 31_467],
    ['Pulkovo 1942(83) / 3-degree Gauss-Kruger zone 5', 2_399],
    ['Pulkovo 1942(83) / Gauss-Kruger zone 3', null],
    ['ETRS89 / UTM zone 30N', null],
    ['WGS_1984_UTM_Zone_33S', null],
    ['Amersfoort / RD New', null],
    ['ETRS89 / LAEA Europe', null],
    ['WGS 84 / World Mercator', null],
    ['unnamed', null],
    ['', null],
  ])('%s', (name, epsg) => expect(epsgOfSystemName(name)).toBe(epsg))
})
