// A small grey scan that looks the same wherever it is drawn: slopes, a chequered pattern, fine lines. GDAL's stored results and the tests are made of it.
import type { Passpunkt } from '#domain/georef/abbildung.ts'
import type { Bild } from './abtasten.ts'

export const BREITE = 160
export const HOEHE = 120

export function pruefbild(): Bild {
  const data = new Uint8Array(BREITE * HOEHE)
  for (let y = 0; y < HOEHE; y++)
    for (let x = 0; x < BREITE; x++) {
      const slope = (x * 90) / BREITE + (y * 90) / HOEHE
      const squares = ((x >> 4) ^ (y >> 4)) & 1 ? 60 : 0
      data[y * BREITE + x] = x % 40 === 20 || y % 30 === 15 ? 0 : Math.floor(slope + squares)
    }
  return { width: BREITE, height: HOEHE, channels: 1, data }
}

/** Turned by 5 degrees, a pixel 0.25 m, and each a little off. */
export const PASSPUNKTE: readonly Passpunkt[] = Array.from({ length: 14 }, (_, i) => {
  const spalte = 9 + ((i * 53) % 143)
  const zeile = 6 + ((i * 47) % 109)
  return {
    spalte,
    zeile,
    ost: Number((412_000 + 0.249 * spalte + 0.0218 * zeile + 0.11 * Math.sin(i)).toFixed(3)),
    nord: Number((5_987_000 + 0.0218 * spalte - 0.249 * zeile + 0.11 * Math.cos(2 * i)).toFixed(3)),
  }
})
