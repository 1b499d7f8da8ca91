// Shows a document as PDF from memory and saves it as a file. Phones do not render a PDF inside a page, so
// there it opens separately.
import { useEffect, useState } from 'react'
import { Button } from '../../ui/Button.tsx'
import { t } from '../../ui/text.ts'
import './beleg-parts.css'

/** Whether a PDF can be rendered inside a page. */
export const drawsPdf = (): boolean => navigator.pdfViewerEnabled !== false

/** For the browser's viewer: no column of small pages, and the page as wide as its frame. */
const VIEW = '#navpanes=0&view=FitH'

/**
 * The URL is created before the element, because the page's CSP would reject an object without one. Give it a
 * `key` per file.
 */
export function PdfView({ blob, name }: { blob: Blob; name: string }) {
  const [url] = useState(() => URL.createObjectURL(blob))
  useEffect(() => () => URL.revokeObjectURL(url), [url])
  const label = t('PDF von {name}', { name })
  const instead = (
    <>
      <p className="soft">
        {t('Dieser Browser zeigt keine PDF-Dateien an. Bitte laden Sie die Datei herunter.')}
      </p>
      <Button icon="download" onClick={() => saveFile(blob, name, 'pdf')}>
        {t('PDF herunterladen')}
      </Button>
    </>
  )
  if (!drawsPdf())
    return (
      <section className="beleg-nopdf" aria-label={label}>
        {instead}
      </section>
    )
  return (
    <object className="beleg-frame" data={url + VIEW} type="application/pdf" aria-label={label}>
      <div className="beleg-nopdf">{instead}</div>
    </object>
  )
}

/** Hands a file to the browser's downloads. */
export function saveBlob(blob: Blob, fileName: string): void {
  const url = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = url
  link.download = fileName
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}
/** The same, named after the document. */
export const saveFile = (blob: Blob, name: string, kind: 'pdf' | 'xml'): void =>
  saveBlob(blob, `${name.replaceAll(/[^\p{L}\p{N}._-]+/gu, '-')}.${kind}`)
