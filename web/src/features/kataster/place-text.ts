// The place of a survey object as people read and type it in the office: a line "latitude longitude" for each
// point, an empty line between the parts of a drain. Stored is the text of the contract, longitude first.
import type { Table } from '#domain/vermessung/fields.ts'
import { t } from '../../ui/text.ts'
import { grad } from '../../karte/mercator.ts'
import { lengthOf, parsePlaces, type Parts, placesText } from '../../karte/survey-place.ts'

const MOST_POINTS = 1_000
/** Coordinates of web mercator, nested to any depth: [[x, y], …]. */
type Coordinates = readonly (number | Coordinates)[]

/** The parts of a point, a line or several lines. */
export function partsOf(coordinates: Coordinates): Parts {
  const [first] = coordinates
  const lines = (
    typeof first === 'number'
      ? [[coordinates]]
      : typeof (first as Coordinates | undefined)?.[0] === 'number'
        ? [coordinates]
        : coordinates
  ) as readonly (readonly (readonly [number, number])[])[]
  return lines.map((line) =>
    line.map(([x, y]) => {
      const [lon, lat] = grad(x, y)
      return { lon, lat }
    }),
  )
}
export const placeOf = (coordinates: Coordinates): string => placesText(partsOf(coordinates))

const degrees = (value: number): string => value.toFixed(8).replace('.', ',')
export const showPlaces = (place: string): string =>
  parsePlaces(place)
    .map((part) => part.map(({ lon, lat }) => `${degrees(lat)} ${degrees(lon)}`).join('\n'))
    .join('\n\n')

const LINE = /^(\d{1,2}(?:[.,]\d{1,12})?)\s*°?[;\s]\s*(\d{1,2}(?:[.,]\d{1,12})?)\s*°?$/
/** The text of the contract, or what is wrong. */
export function parsePlaceText(table: Table, typed: string): { lage: string } | { fault: string } {
  const lines = typed
    .trim()
    .split(/\r?\n/)
    .map((line) => line.trim())
  const parts: { lon: number; lat: number }[][] = [[]]
  for (const line of lines) {
    if (line === '') {
      if (parts.at(-1)!.length > 0) parts.push([])
      continue
    }
    const [, lat, lon] = LINE.exec(line) ?? []
    if (lat === undefined || lon === undefined)
      return {
        fault: t('Bitte Breite und Länge in Grad, zum Beispiel {example}.', {
          example: '53,50000000 12,90000000',
        }),
      }
    parts.at(-1)!.push({ lon: Number(lon.replace(',', '.')), lat: Number(lat.replace(',', '.')) })
  }
  const all = parts.flat()
  if (all.some(({ lon, lat }) => lon < 3 || lon > 18 || lat < 45 || lat > 57))
    return { fault: t('Diese Lage liegt außerhalb von Deutschland. Breite steht vor Länge.') }
  if (table !== 'draenage')
    return all.length === 1
      ? { lage: placesText(parts) }
      : { fault: t('Bitte genau einen Punkt: Breite und Länge in Grad.') }
  if (all.length > MOST_POINTS) return { fault: t('Eine Linie hat höchstens 1.000 Punkte.') }
  return parts.every((part) => part.length >= 2) && lengthOf(parts) >= 0.01
    ? { lage: placesText(parts) }
    : { fault: t('Eine Dränage braucht mindestens zwei Punkte an verschiedenen Stellen.') }
}
