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
function pdfText(pdf: Uint8Array, ...options: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'forstkontor-pdf-'))
  try {
    writeFileSync(join(folder, 'x.pdf'), pdf)
    // stderr is ignored: it prints a harmless remark on the structure of files by Typst.
    const stdio: ['ignore', 'pipe', 'ignore'] = ['ignore', 'pipe', 'ignore']
    return execFileSync('pdftotext', [...options, '-enc', 'UTF-8', join(folder, 'x.pdf'), '-'], {
      encoding: 'utf8',
      stdio,
      maxBuffer: 2 ** 26,
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Extracted by an independent PDF reader, poppler's pdftotext. */
export const onPaper = (pdf: Uint8Array): string => bare(pdfText(pdf, '-raw'))

export interface PaperWord {
  /** Counted from 1. */
  readonly page: number
  readonly text: string
  /** Of the box around it, in points from the upper left corner of the sheet. */
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

/** Words with their places, by the same reader. */
export const wordsOnPaper = (pdf: Uint8Array): PaperWord[] =>
  pdfText(pdf, '-bbox')
    .split('<page ')
    .slice(1)
    .flatMap((text, at) =>
      [
        ...text.matchAll(
          /<word xMin="([\d.-]+)" yMin="([\d.-]+)" xMax="([\d.-]+)" yMax="([\d.-]+)">(.*?)<\/word>/g,
        ),
      ].map(([, left, top, right, bottom, word]) => ({
        page: at + 1,
        text: word!.replaceAll('&amp;', '&'),
        left: Number(left),
        top: Number(top),
        right: Number(right),
        bottom: Number(bottom),
      })),
    )

export const allText = (element: Element): string => element.text + element.children.map(allText).join('\n')
