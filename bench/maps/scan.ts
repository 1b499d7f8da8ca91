// Scans of a given size with exact control points: drawn once, scaled up where drawing would take a minute.
import { writeFile } from 'node:fs/promises'
import sharp from 'sharp'
import type { MappointInput } from '#contract/karte.ts'
import { PLAN } from '../../db/seeds/plan-location.ts'
import { makePlan } from '../../db/seeds/draw-plan.ts'

const MOST_DRAWN = 8000

export async function makeScan(path: string, breite: number, hoehe: number): Promise<MappointInput[]> {
  const times = Math.ceil(breite / MOST_DRAWN)
  const [wide, high] = [Math.round(breite / times), Math.round(hoehe / times)]
  const plan = await makePlan({ ...PLAN, breite: wide, hoehe: high, gsd: (PLAN.gsd * PLAN.breite) / wide })
  if (times === 1) await writeFile(path, plan.jpeg)
  else
    await sharp(plan.jpeg, { limitInputPixels: false })
      .resize({ width: breite, height: hoehe, fit: 'fill', kernel: 'linear' })
      .jpeg({ quality: 86 })
      .toFile(path)
  const every = Math.max(1, Math.floor(plan.punkte.length / 30))
  return plan.punkte
    .filter((_, i) => i % every === 0)
    .slice(0, 30)
    .map(({ ost, nord, spalte, zeile }) => ({
      mapx: ost,
      mapy: nord,
      pixelx: (spalte * breite) / wide,
      pixely: (-zeile * hoehe) / high,
      enable: true,
    }))
}
