// Row 7: uploads a large scan while its connection is cut four times. Checks that the server keeps exactly
// what was sent, and how much memory the server's own process takes meanwhile. 500 MiB with VOLL=1, otherwise
// 100.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { kartePaths } from '#contract/karte-files.ts'
import { temporaryFolder } from '../../e2e/app.ts'
import { atLeast, atMost, type Figure, shown } from '../figures.ts'
import { GENERAL, inHouse } from './house.ts'
import { uploadScan, shaOf } from './upload.ts'
import { SHORT, VOLL } from '../extent.ts'
import { rssOf } from './house.ts'

const MIB = SHORT ? 40 : VOLL ? 500 : 100
const CUTS = 4

export async function measure(): Promise<Figure[]> {
  const folder = temporaryFolder()
  try {
    const path = join(folder, 'Blatt gross.tif')
    // Uncompressed noise, in which no part resembles another.
    const edge = Math.ceil(Math.sqrt((MIB * 2 ** 20) / 3))
    await sharp({
      create: {
        width: edge,
        height: edge,
        channels: 3,
        background: '#fff',
        noise: { type: 'gaussian', mean: 128, sigma: 40 },
      },
      limitInputPixels: false,
    })
      .tiff({ compression: 'none' })
      .toFile(path)
    return await inHouse(async (house) => {
      const karte = await house.newPlan('Bench Upload')
      const before = rssOf(house.pid)
      let most = before
      const look = setInterval(() => (most = Math.max(most, rssOf(house.pid))), 20)
      const begun = performance.now()
      const { datei, sha256, cuts, endedAt } = await uploadScan(house, karte, path, CUTS).finally(() =>
        clearInterval(look),
      )
      const back = await fetch(`${house.app.origin}${GENERAL}${kartePaths.datei(karte, datei)}`, {
        headers: { authorization: `Bearer ${house.token}` },
      })
      const same = back.status === 200 && back.body !== null && (await shaOf(back.body)) === sha256
      return [
        atMost(
          `7 upload of ${MIB} MiB with ${CUTS} cut connections: files that came back as others`,
          0,
          same ? 0 : 1,
          '',
        ),
        atLeast('7 connections that were cut with bytes on their way', CUTS, cuts, ''),
        atMost(`7 the server's own process while ${MIB} MiB came in, most memory`, 250, most / 2 ** 20, 'MB'),
        shown('7 the same process before', before / 2 ** 20, 'MB'),
        shown(`7 upload of ${MIB} MiB, with hash and check`, (endedAt - begun) / 1000, 's'),
      ]
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
