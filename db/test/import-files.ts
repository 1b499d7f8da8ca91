// Files and rows of each kind that programs import.
import { statementXml } from '#domain/camt/statement.fixture.ts'
import { makeRandom } from '../seeds/random.ts'
import { makeVermessung, toGeoJson } from '../seeds/sample-vermessung.ts'
import { now } from './import-server.ts'

const day = (offset: number) => new Date(now().getTime() + offset * 86_400_000).toISOString().slice(0, 10)
export const survey = (count: number, seed = 7) =>
  toGeoJson(
    makeVermessung({ ort: [380_000, 5_930_000], anzahl: count, random: makeRandom(seed), day }),
    25_833,
  )
export const kunde = (name: string, more: object = {}) => ({
  name,
  strasse: 'Weg 1',
  plz: '04109',
  ort: 'Leipzig',
  ...more,
})
export const trees = (width: number | string = 62) =>
  JSON.stringify({
    type: 'FeatureCollection',
    features: [1, 2].map((nr) => ({
      type: 'Feature',
      geometry: { type: 'Point', coordinates: [12.3 + nr / 1000, 51.3] },
      properties: { Nummer: `H-${nr}`, Baumart: 'Buche', BHD: nr === 1 ? 61 : width },
    })),
  })
export const CAMT = statementXml('08', [{ buchungen: [{ betrag: '12.30' }] }])
export const STANDS = JSON.stringify({
  type: 'FeatureCollection',
  features: [
    {
      type: 'Feature',
      geometry: {
        type: 'Polygon',
        coordinates: [
          [
            [12.3, 51.3],
            [12.31, 51.3],
            [12.31, 51.31],
            [12.3, 51.3],
          ],
        ],
      },
      properties: {
        abteilung: '7',
        unterabteilung: 'a',
        stand: 1,
        alter: 80,
        flaeche_m2: 387_500,
        farbe: 'rot',
      },
    },
  ],
})
