// Row 6: time from the last byte of an upload until the first tile of the scan, over HTTP, on an otherwise
// idle server. Polled every 50 ms.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { kartePaths } from '#contract/karte-files.ts'
import { temporaryFolder } from '../../e2e/app.ts'
import type { Figure } from '../figures.ts'
import { atMost, shown } from '../figures.ts'
import { GENERAL, inHouse } from './house.ts'
import { uploadScan } from './upload.ts'
import { makeScan } from './scan.ts'
import { SHORT } from '../extent.ts'

const [WIDTH, HEIGHT] = SHORT ? [1600, 1200] : [8000, 6000]
const MOST_MS = 120_000

export async function measure(): Promise<Figure[]> {
  const folder = temporaryFolder()
  try {
    const path = join(folder, 'Blatt 48.jpg')
    await makeScan(path, WIDTH, HEIGHT)
    return await inHouse(async (house) => {
      const karte = await house.newPlan('Bench 48 MP')
      const { datei, endedAt } = await uploadScan(house, karte, path, 0)
      const address = `${house.app.origin}${GENERAL}${kartePaths.kachel(karte, datei, 0, 0, 0)}`
      for (;;) {
        const answer = await fetch(address, { headers: { authorization: `Bearer ${house.token}` } })
        const bytes = (await answer.arrayBuffer()).byteLength
        const took = performance.now() - endedAt
        if (answer.status === 200 && bytes > 100) {
          const again = performance.now()
          const deep = await fetch(address, { headers: { authorization: `Bearer ${house.token}` } })
          await deep.arrayBuffer()
          return [
            atMost('6 scan of 48 MP: from the end of the upload to its first tile', 5, took / 1000, 's'),
            shown('6 the same tile once more', performance.now() - again, 'ms'),
          ]
        }
        if (took > MOST_MS) throw new Error(`no tile: ${answer.status}`)
        await sleep(50)
      }
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
