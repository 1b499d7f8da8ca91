// Row 14: QGIS -> product -> QGIS keeps every digit, with the old and the new header. Inside the product the
// numbers pass through the table's columns (double precision) and JSON.
import { parsePoints, writePoints, type HeaderKind } from '#domain/georef/points-file.ts'
import { atMost, type Figure, shown } from '../figures.ts'

const COUNT = 1000
const HEAD: Readonly<Record<HeaderKind, string>> = {
  neu: 'mapX,mapY,sourceX,sourceY,enable,dX,dY,residual',
  alt: 'mapX,mapY,pixelX,pixelY,enable,dX,dY,residual',
}

/** As QGIS writes it: 15 to 17 digits, one point per line, some switched off. */
function fileOf(head: HeaderKind): { text: string; numbers: number[][] } {
  const numbers = Array.from({ length: COUNT }, (_, i) => [
    412_000 + ((i * 7919) % 2000) + Math.sin(i),
    5_987_000 - ((i * 104_729) % 1500) + Math.cos(i),
    ((i * 7919) % 8000) + Math.sin(i) / 3 + 1,
    -((i * 104_729) % 6000) - Math.cos(i) / 7 - 1,
    i % 17 === 0 ? 0 : 1,
    Math.sin(3 * i) / 3,
    Math.cos(5 * i) / 3,
    Math.abs(Math.sin(7 * i)),
  ])
  return {
    numbers,
    text: `#CRS: EPSG:25833\n${HEAD[head]}\n${numbers.map((line) => line.join(',')).join('\n')}\n`,
  }
}

function roundTrip(head: HeaderKind): Figure[] {
  const { text, numbers } = fileOf(head)
  const begun = performance.now()
  const read = parsePoints(text)
  if (read.datei === null) throw new Error(JSON.stringify(read.defects))
  const stored = JSON.parse(JSON.stringify(read.datei.punkte)) as typeof read.datei.punkte
  const written = writePoints(stored, read.datei.referenceSystem, read.datei.kopf)
  const took = performance.now() - begun
  const back = written
    .trim()
    .split('\n')
    .slice(2)
    .map((line) => line.split(',').map(Number))
  const others =
    numbers.flatMap((line, row) => line.filter((value, column) => back[row]?.[column] !== value)).length +
    Math.abs(back.length - COUNT)
  return [
    atMost(`14 numbers of ${COUNT} points that came back as others, head "${head}"`, 0, others, ''),
    atMost(
      `14 lines above the points that came back as others, head "${head}"`,
      0,
      text
        .split('\n')
        .slice(0, 2)
        .filter((line, i) => written.split('\n')[i] !== line).length,
      '',
    ),
    shown(`14 read and written, head "${head}"`, took, 'ms'),
  ]
}

export const measure = (): Promise<Figure[]> => Promise.resolve((['neu', 'alt'] as const).flatMap(roundTrip))
