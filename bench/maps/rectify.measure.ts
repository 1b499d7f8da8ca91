// Row 5: the job's own process rectifies a scan as the product does: a spline through 30 points, JPEG with
// overviews and a mask, checked at the end. For comparison the same job with GDAL's programs. A0 at 400 dpi
// takes minutes with GDAL: VOLL=1. Then to a result of half and a quarter of the scan's resolution, whose kernels
// are wider.
import { rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { RectifyValues } from '#domain/georef/rectify-values.ts'
import { temporaryFolder } from '../../e2e/app.ts'
import type { Work } from '../../server/karten/work.ts'
import { runWork } from '../../server/karten/run-work.ts'
import { atMost, type Figure, shown } from '../figures.ts'
import { treeCpuMs, treeRss } from '../process-tree.ts'
import { programs } from './gdal.ts'
import { PLAN } from '../../db/seeds/plan-location.ts'
import { makeScan } from './scan.ts'
import { SHORT, VOLL } from '../extent.ts'

const LOOK_MS = 20
/** The default of JOB_MEMORY_MB. */
const MEMORY = 3072 * 2 ** 20

interface Costs {
  readonly seconds: number
  readonly cpu: number
  readonly megabytes: number
  readonly size: number
}

async function cost(task: Extract<Work, { art: 'entzerren' }>): Promise<Costs> {
  let [cpu, rss, pid] = [0, 0, 0]
  const look = setInterval(() => {
    if (pid === 0) return
    cpu = Math.max(cpu, treeCpuMs(pid))
    rss = Math.max(rss, treeRss(pid))
  }, LOOK_MS)
  const begun = performance.now()
  try {
    await runWork(task, {
      timeoutMs: 3_600_000,
      memoryBytes: MEMORY,
      onStart: (child) => (pid = child.pid ?? 0),
    })
  } finally {
    clearInterval(look)
  }
  return {
    seconds: (performance.now() - begun) / 1000,
    cpu: cpu / 1000,
    megabytes: rss / 2 ** 20,
    size: statSync(task.ziel).size / 2 ** 20,
  }
}

const SIZES = [
  { name: '48 MP', breite: 8000, hoehe: 6000, seconds: 10, always: true },
  { name: 'A0 at 400 dpi', breite: 18_724, hoehe: 13_244, seconds: 45, always: false },
] as const
const MOST_MB = 1.2 * 1024
/** Pixels of the scan per pixel of the result, in each direction. */
const COARSER = [2, 4]

export async function measure(): Promise<Figure[]> {
  const gdal = await programs()
  const figures: Figure[] = []
  for (const { name, breite, hoehe, seconds, always } of SIZES) {
    if (!always && !VOLL) continue
    const folder = temporaryFolder()
    try {
      const shrink = SHORT ? 8 : 1
      const filePath = join(folder, 'scan.jpg')
      const target = (how: string) => join(folder, `${how}.tif`)
      const points = await makeScan(filePath, Math.round(breite / shrink), Math.round(hoehe / shrink))
      const values: RectifyValues = {
        georef_typ: 'tps',
        epsg: PLAN.epsg,
        res: null,
        verfahren: 'cubic',
        kompression: 'jpeg',
        punkte: points,
      }
      const say = (how: string, { seconds: took, cpu, megabytes, size }: Costs): Figure[] => [
        shown(`5 warp of ${name}, ${how}, wall`, took, 's'),
        shown(`5 warp of ${name}, ${how}, processor`, cpu, 's'),
        shown(`5 warp of ${name}, ${how}, most memory`, megabytes, 'MB'),
        shown(`5 warp of ${name}, ${how}, size of the result`, size, 'MB'),
      ]
      for (const method of ['bilinear', 'cubic'] as const) {
        const own = await cost({
          art: 'entzerren',
          filePath,
          ziel: target(method),
          werte: { ...values, verfahren: method },
          gdal: null,
        })
        const [, cpu, , size] = say(`own engine, ${method}`, own)
        figures.push(
          atMost(`5 warp of ${name}, own engine, ${method}, wall`, seconds, own.seconds, 's'),
          cpu!,
          atMost(`5 warp of ${name}, own engine, ${method}, most memory`, MOST_MB, own.megabytes, 'MB'),
          size!,
        )
      }
      if (gdal !== null)
        figures.push(
          ...say(
            'gdalwarp, cubic',
            await cost({ art: 'entzerren', filePath, ziel: target('gdal'), werte: values, gdal }),
          ),
        )
      // Drawn as wide as the scan is here.
      const metres = (PLAN.gsd * PLAN.breite) / Math.round(breite / shrink)
      for (const times of COARSER) {
        const task = { art: 'entzerren', filePath, werte: { ...values, res: metres * times } } as const
        const what = `${name} to 1/${times} of its resolution`
        const own = await cost({ ...task, ziel: target(`coarse-${times}`), gdal: null })
        figures.push(
          atMost(`5 warp of ${what}, own engine, cubic, wall`, seconds, own.seconds, 's'),
          shown(`5 warp of ${what}, own engine, cubic, processor`, own.cpu, 's'),
          atMost(`5 warp of ${what}, own engine, cubic, most memory`, MOST_MB, own.megabytes, 'MB'),
        )
        if (gdal === null) continue
        const theirs = await cost({ ...task, ziel: target(`coarse-gdal-${times}`), gdal })
        figures.push(
          shown(`5 warp of ${what}, gdalwarp, cubic, wall`, theirs.seconds, 's'),
          shown(`5 warp of ${what}, gdalwarp, cubic, processor`, theirs.cpu, 's'),
        )
      }
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  }
  if (!VOLL) figures.push(shown('5 warp of A0 at 400 dpi: not measured, VOLL=1 does', 0, ''))
  return figures
}
