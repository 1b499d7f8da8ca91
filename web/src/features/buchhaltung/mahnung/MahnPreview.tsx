// Preview of reminders: the real letters as the server renders them, one at a time.
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { postBlob } from '../../../data/blob.ts'
import { PdfView } from '../../../record/beleg/PdfView.tsx'
import { Button } from '../../../ui/Button.tsx'
import { ErrorState, Skeleton } from '../../../ui/States.tsx'
import { t } from '../../../ui/text.ts'
import { previewOf, type Requested } from './mahnung.data.ts'

export function MahnPreview({ requests }: { requests: readonly Requested[] }) {
  const look = useMutation({
    mutationFn: (request: Requested) => postBlob('beleg/vorschau/mahnung.pdf', previewOf(request)),
  })
  const [at, setAt] = useState(0)
  const request = requests[Math.min(at, requests.length - 1)]
  const show = (place: number) => {
    setAt(place)
    const next = requests[place]
    if (next !== undefined) look.mutate(next)
  }
  return (
    <section aria-label={t('Vorschau')} className="stack">
      <div className="mahn-look">
        <Button
          icon="file"
          disabled={request === undefined}
          busy={look.isPending}
          onClick={() => show(Math.min(at, requests.length - 1))}
        >
          {t('Vorschau')}
        </Button>
        {requests.length > 1 && look.data !== undefined && (
          <>
            <Button disabled={at === 0 || look.isPending} onClick={() => show(at - 1)}>
              {t('Vorherige')}
            </Button>
            <Button disabled={at >= requests.length - 1 || look.isPending} onClick={() => show(at + 1)}>
              {t('Nächste')}
            </Button>
            <span className="soft">{t('{n} von {alle}', { n: at + 1, alle: requests.length })}</span>
          </>
        )}
      </div>
      {look.isPending ? (
        <Skeleton lines={8} />
      ) : look.isError ? (
        <ErrorState error={look.error} onRetry={() => show(at)} />
      ) : (
        look.data !== undefined &&
        request !== undefined && (
          <PdfView
            key={`${request.zeile.rechnung_id} ${look.submittedAt}`}
            blob={look.data}
            name={request.zeile.nummer}
          />
        )
      )}
    </section>
  )
}
