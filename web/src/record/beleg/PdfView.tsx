// A document as it really looks: the PDF from memory, and the file for keeping. Phones do not draw a PDF within a page: there it is opened by itself.
import { useEffect, useState } from 'react'
import { Button } from '../../ui/Button.tsx'
import { t } from '../../ui/text.ts'
import './beleg-parts.css'

/** Whether a PDF can be drawn within a page. */
export const drawsPdf = (): boolean => navigator.pdfViewerEnabled !== false

/** Its address is there before the element is: the policy of the page would complain of an object without one. Give it the `key` of the file. */
export function PdfView({ blob, name }: { blob: Blob; name: string }) {
  const [url] = useState(() => URL.createObjectURL(blob))
  useEffect(() => () => URL.revokeObjectURL(url), [url])
  if (!drawsPdf())
    return (
      <section className="beleg-nopdf" aria-label={t('PDF von {name}', { name })}>
        <p className="soft">
          {t('Dieser Browser zeigt keine PDF-Dateien an. Bitte laden Sie die Datei herunter.')}
        </p>
        <Button icon="download" onClick={() => saveFile(blob, name, 'pdf')}>
          {t('PDF herunterladen')}
        </Button>
      </section>
    )
  return (
    <object
      className="beleg-frame"
      data={url}
      type="application/pdf"
      aria-label={t('PDF von {name}', { name })}
    >
      <p className="soft">
        {t('Dieser Browser zeigt keine PDF-Dateien an. Bitte laden Sie die Datei herunter.')}
      </p>
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
/** The same, under the document's name. */
export const saveFile = (blob: Blob, name: string, kind: 'pdf' | 'xml'): void =>
  saveBlob(blob, `${name.replaceAll(/[^\p{L}\p{N}._-]+/gu, '-')}.${kind}`)
