// Files that hold several sheets: how many, and one of them as a separate file.
import { open } from 'node:fs/promises'
import { copyTiffPage } from './copy-tiff-page.ts'
import { drawPdf } from './pdf.ts'
import { directoriesOf, MOST_PAGES } from './tiff-directories.ts'
import { type PageWork, WorkFault } from './work.ts'

const [NEW_KIND, OLD_KIND] = [254, 255]
/** Bits of NewSubfileType: a smaller size of another page, a mask. The older tag says the first as 2. */
const [REDUCED, MASK] = [1, 4]
const OLD_REDUCED = 2

/**
 * Page numbers, as libvips counts them, of the pictures that are sheets: neither smaller sizes of others nor
 * masks. One for a file that is no TIFF.
 */
export async function sheetsOf(path: string): Promise<number[]> {
  const file = await open(path, 'r')
  try {
    const { buffer } = await file.read(Buffer.alloc(2), 0, 2, 0)
    if (!['II', 'MM'].includes(buffer.toString('latin1'))) return [0]
    const directories = await directoriesOf(file, new Set([NEW_KIND, OLD_KIND]), 1, MOST_PAGES)
    return directories.flatMap((tags, page) => {
      const kind = tags.get(NEW_KIND)?.[0] ?? 0
      const isSheet = (kind & (REDUCED | MASK)) === 0 && tags.get(OLD_KIND)?.[0] !== OLD_REDUCED
      return isSheet ? [page] : []
    })
  } finally {
    await file.close()
  }
}

/** Writes one sheet of a file as a picture. @throws WorkFault */
export async function takePage({ filePath, ziel, seite, pdftoppm }: PageWork): Promise<void> {
  if (pdftoppm !== null) return drawPdf({ filePath, ziel, pdftoppm, seite })
  const page = (await sheetsOf(filePath))[seite - 1]
  if (page === undefined) throw new WorkFault('karte_seite', `no page ${seite}`)
  await copyTiffPage(filePath, page, ziel)
}
