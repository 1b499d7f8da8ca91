// Scans of a given size with exact control points: drawn once, scaled up where drawing would take a minute.
import { writeFile } from 'node:fs/promises'
import sharp from 'sharp'
import type { KeptPoint } from '#domain/georef/rectify-values.ts'
import { PLAN } from '../../db/seeds/plan-location.ts'
import { makePlan } from '../../db/seeds/draw-plan.ts'

const MOST_DRAWN = 8000

export async function makeScan(path: string, width: number, height: number): Promise<KeptPoint[]> {
  const times = Math.ceil(width / MOST_DRAWN)
  const [wide, high] = [Math.round(width / times), Math.round(height / times)]
  const plan = await makePlan({ ...PLAN, breite: wide, hoehe: high, gsd: (PLAN.gsd * PLAN.breite) / wide })
  if (times === 1) await writeFile(path, plan.jpeg)
  else
    await sharp(plan.jpeg, { limitInputPixels: false })
      .resize({ width: width, height: height, fit: 'fill', kernel: 'linear' })
      .jpeg({ quality: 86 })
      .toFile(path)
  const every = Math.max(1, Math.floor(plan.punkte.length / 30))
  return plan.punkte
    .filter((_, i) => i % every === 0)
    .slice(0, 30)
    .map(({ ost, nord, spalte, zeile }) => ({
      mapx: ost,
      mapy: nord,
      pixelx: (spalte * width) / wide,
      pixely: (-zeile * height) / high,
      enable: true,
    }))
}
