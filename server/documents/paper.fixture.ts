// The text of PDF and XML, as an independent reader extracts it.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

interface Element {
  readonly text: string
  readonly children: readonly Element[]
}

/** Blanks, line ends and hyphens at line ends come from the typesetter and do not count. */
export const bare = (text: string): string => text.replaceAll(/[\s\u00A0\u2010-]+/g, '')
export const hasReader = (() => {
  try {
    execFileSync('pdftotext', ['-v'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
})()
/** Extracted by an independent PDF reader, poppler's pdftotext. */
export function onPaper(pdf: Uint8Array): string {
  const folder = mkdtempSync(join(tmpdir(), 'forstkontor-pdf-'))
  try {
    writeFileSync(join(folder, 'x.pdf'), pdf)
    // stderr is ignored: it prints a harmless remark on the structure of files by Typst.
    const stdio: ['ignore', 'pipe', 'ignore'] = ['ignore', 'pipe', 'ignore']
    return bare(
      execFileSync('pdftotext', ['-raw', '-enc', 'UTF-8', join(folder, 'x.pdf'), '-'], {
        encoding: 'utf8',
        stdio,
        maxBuffer: 2 ** 26,
      }),
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

export const allText = (element: Element): string => element.text + element.children.map(allText).join('\n')
