// Buttons that download a document's files: the PDF, and the e-invoice if there is one.
import { useState } from 'react'
import { fetchBlob } from '../../data/blob.ts'
import { saveFile } from '../../record/beleg/PdfView.tsx'
import { messageOf } from '../../record/record-faults.ts'
import { Button } from '../../ui/Button.tsx'
import { t } from '../../ui/text.ts'
import { toast } from '../../ui/toasts.ts'
import { nameOf } from './document-words.ts'
import { filePath, type CustomerDocument, kindOf } from './documents.data.ts'

export function Files({ dokument, small = false }: { dokument: CustomerDocument; small?: boolean }) {
  const [busy, setBusy] = useState<'pdf' | 'xml' | null>(null)
  const name = nameOf(dokument)
  const load = async (kind: 'pdf' | 'xml') => {
    if (busy !== null) return
    setBusy(kind)
    try {
      saveFile(await fetchBlob(filePath(kindOf(dokument), dokument.id, kind)), name, kind)
    } catch (error) {
      toast.error(messageOf(error))
    } finally {
      setBusy(null)
    }
  }
  const size = small ? 'small' : 'normal'
  return (
    <>
      <Button
        size={size}
        icon="download"
        busy={busy === 'pdf'}
        aria-label={t('{name} als PDF herunterladen', { name })}
        onClick={() => void load('pdf')}
      >
        {t('PDF')}
      </Button>
      {dokument.xml && (
        <Button
          size={size}
          icon="download"
          busy={busy === 'xml'}
          aria-label={t('{name} als XML herunterladen (E-Rechnung)', { name })}
          onClick={() => void load('xml')}
        >
          {t('XML')}
        </Button>
      )}
    </>
  )
}
