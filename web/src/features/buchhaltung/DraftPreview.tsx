// Preview of a draft including unsaved input: rendered by the server, shown from memory, stored nowhere.
import { useMutation } from '@tanstack/react-query'
import type { Beleg } from '#domain/beleg.ts'
import { postBlob } from '../../data/blob.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { ErrorState } from '../../ui/States.tsx'
import { t } from '../../ui/text.ts'
import type { BelegKind } from './beleg.data.ts'
import { PdfView } from '../../record/beleg/PdfView.tsx'

/**
 * A button with its dialog. `beleg`: the document as typed, computed when the button is pressed (`belegOf` in
 * beleg-preview.ts); null: not known yet.
 */
export function DraftPreview({
  docKind,
  id,
  beleg,
}: {
  docKind: BelegKind
  id: string
  beleg: () => Beleg | null
}) {
  const look = useMutation({
    mutationFn: (typed: Beleg) => postBlob(`beleg/vorschau/${docKind}/${id}.pdf`, typed),
  })
  const show = () => {
    const typed = beleg()
    if (typed !== null) look.mutate(typed)
  }
  const name = docKind === 'rechnung' ? t('Rechnungsentwurf') : t('Angebotsentwurf')
  return (
    <>
      <Button icon="file" busy={look.isPending} onClick={show}>
        {t('Vorschau')}
      </Button>
      {!look.isPending && (look.data !== undefined || look.isError) && (
        <Dialog
          open
          title={t('Vorschau')}
          width="wide"
          onClose={look.reset}
          footer={<Button onClick={look.reset}>{t('Schließen')}</Button>}
        >
          {look.isError ? (
            <ErrorState error={look.error} onRetry={show} />
          ) : (
            <PdfView key={look.submittedAt} blob={look.data} name={name} />
          )}
        </Dialog>
      )}
    </>
  )
}
