// A PDF from memory on the page, and a file to keep.
import { useEffect, useState } from 'react'
import { t } from '../../ui/text.ts'

/** Its address is there before the element is: the policy of the page would complain of an object without one. Give it the `key` of the file. */
export function PdfBild({ blob, name }: { blob: Blob; name: string }) {
  const [url] = useState(() => URL.createObjectURL(blob))
  useEffect(() => () => URL.revokeObjectURL(url), [url])
  return (
    <object className="beleg-frame" data={url} type="application/pdf" aria-label={t('PDF von {name}', { name })}>
      <p className="soft">{t('Dieser Browser zeigt keine PDF-Dateien an. Bitte laden Sie die Datei herunter.')}</p>
    </object>
  )
}

export function saveBlob(blob: Blob, fileName: string): void {
  const url = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = url
  link.download = fileName
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}
