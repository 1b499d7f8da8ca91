// Photos of a report: the size of 800 pixels, which is ours, as the JPEG that lies in a PDF as it is. A WebP would be unpacked there and ten times as large.
import { buffer } from 'node:stream/consumers'
import sharp from '#server/sharp.ts'
import type { Ablage } from '#server/dateien/ablage.ts'
import type { Satzbild } from '#server/satzauftrag.ts'
import type { Fertigbild } from './bericht-satz.ts'
import type { BerichtBild } from './bericht-stoff.ts'

const EDGE = 800
const QUALITY = 78
const AT_ONCE = 2

/** What cannot be read is left out: the report says how many are missing. */
export async function ladeFotos(
  ablage: Pick<Ablage, 'lies'>,
  bilder: readonly BerichtBild[],
  { signal, onFertig }: { readonly signal: AbortSignal; readonly onFertig: (fertig: number) => void },
): Promise<{ bilder: Fertigbild[]; satzbilder: Satzbild[] }> {
  const done: (readonly [Fertigbild, Satzbild] | null)[] = []
  let [next, fertig] = [0, 0]
  const worker = async (): Promise<void> => {
    while (next < bilder.length) {
      signal.throwIfAborted()
      const at = next++
      const bild = bilder[at]!
      // oxlint-disable-next-line no-await-in-loop -- two at a time
      const bytes = await jpegOf(ablage, bild)
      const pfad = `/foto/${bild.id}.jpg`
      done[at] =
        bytes === null
          ? null
          : [
              { ...bild, pfad },
              { pfad, bytes },
            ]
      onFertig(++fertig)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  const sound = done.filter((one) => one !== null)
  return { bilder: sound.map(([bild]) => bild), satzbilder: sound.map(([, satzbild]) => satzbild) }
}

async function jpegOf(ablage: Pick<Ablage, 'lies'>, { mittel }: BerichtBild): Promise<Buffer | null> {
  if (mittel === null) return null
  const stream = await ablage.lies(mittel)
  if (stream === null) return null
  try {
    return await sharp(await buffer(stream), { limitInputPixels: 4 * EDGE * EDGE })
      .resize({ width: EDGE, height: EDGE, fit: 'inside', withoutEnlargement: true })
      .flatten({ background: 'white' })
      .toColourspace('srgb')
      .jpeg({ quality: QUALITY })
      .toBuffer()
  } catch {
    return null
  }
}
