// A page of a PDF as a picture, drawn by poppler's pdftoppm where it is installed.
import { execFile } from 'node:child_process'
import { rename } from 'node:fs/promises'
import { promisify } from 'node:util'
import { tiedCommand } from '#server/reader/confined.ts'
import { MOST_SCAN_PIXELS } from './picture.ts'
import { type WorkCode, WorkFault } from './work.ts'

const run = promisify(execFile)
const DPI = 300
const POINTS_PER_INCH = 72

export async function drawPdf({
  filePath,
  ziel,
  pdftoppm,
  seite = 1,
}: {
  filePath: string
  ziel: string
  pdftoppm: string
  seite?: number
}): Promise<void> {
  const { size } = await factsOf(pdftoppm, filePath, seite)
  const pixels = size === null ? 0 : (size[0] * size[1] * DPI * DPI) / POINTS_PER_INCH ** 2
  if (pixels > MOST_SCAN_PIXELS) throw new WorkFault('karte_pixel', `${size?.join(' × ')} points`)
  try {
    // pdftoppm adds the file extension itself.
    const command = tiedCommand(
      pdftoppm,
      '-png',
      '-r',
      String(DPI),
      '-f',
      String(seite),
      '-l',
      String(seite),
      '-singlefile',
      filePath,
      ziel,
    )
    await run(...command, { env: {} })
    await rename(`${ziel}.png`, ziel)
  } catch (error) {
    throw new WorkFault(codeOf(error), error instanceof Error ? error.message.slice(0, 300) : String(error))
  }
}

/** Status of poppler's programs: the file could not be opened. */
const NOT_OPENED = 1

function codeOf(error: unknown): WorkCode {
  const { code, stderr = '' } = error as { readonly code?: unknown; readonly stderr?: string }
  if (/incorrect password/i.test(stderr)) return 'karte_pdf_kennwort'
  return code === NOT_OPENED ? 'karte_bild' : 'karte_pdf'
}

export interface PdfFacts {
  readonly pages: number
  /** Of the page in points; null if it is not reported. */
  readonly size: readonly [number, number] | null
}

/** From pdfinfo, which comes with pdftoppm. */
export async function factsOf(pdftoppm: string, filePath: string, pageNumber = 1): Promise<PdfFacts> {
  try {
    const { stdout } = await run(
      ...tiedCommand(
        pdftoppm.replace(/pdftoppm$/, 'pdfinfo'),
        '-f',
        String(pageNumber),
        '-l',
        String(pageNumber),
        filePath,
      ),
      {
        env: {},
        timeout: 30_000,
      },
    )
    const found = /^Page(?:\s+\d+)? size:\s+([\d.]+) x ([\d.]+) pts/m.exec(stdout)
    return {
      pages: Number(/^Pages:\s+(\d+)/m.exec(stdout)?.[1] ?? 1),
      size: found === null ? null : [Number(found[1]), Number(found[2])],
    }
  } catch {
    return { pages: 1, size: null }
  }
}
