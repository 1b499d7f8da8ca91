// Begins a new revision of an offer. The customer can no longer accept the one they have, so it asks first.
import { useState } from 'react'
import { rpc } from '../../../data/rpc.ts'
import { Button } from '../../../ui/Button.tsx'
import { ConfirmDialog } from '../../../ui/Dialog.tsx'
import { t } from '../../../ui/text.ts'
import { useView } from '../../../ui/view.tsx'
import { type Angebot, useBelegAct } from '../beleg.data.ts'
import { ANGEBOT_KIND } from '../beleg-kinds.ts'

export function ReviseButton({ angebot: { id, nummer, kunde, status } }: { angebot: Angebot }) {
  const view = useView()
  const [asking, setAsking] = useState(false)
  const revise = useBelegAct(() => rpc('a_revise_offer', { offer_id: id }))
  return (
    <>
      <Button onClick={() => setAsking(true)}>{t('Neue Fassung')}</Button>
      <ConfirmDialog
        open={asking}
        title={t('Neue Fassung beginnen?')}
        record={`${nummer ?? ''}, ${kunde}`}
        confirmLabel={t('Neue Fassung beginnen')}
        onCancel={() => setAsking(false)}
        onConfirm={() =>
          revise.mutateAsync(undefined).then((made) => {
            setAsking(false)
            view.go(ANGEBOT_KIND.draft(made))
          })
        }
      >
        <p>
          {status === 'versendet'
            ? t(
                'Diese Fassung gilt dann als ersetzt: Der Kunde kann sie nicht mehr annehmen, auch nicht über ' +
                  'einen Link, den er schon hat.',
              )
            : t('Diese Fassung gilt dann als ersetzt.')}
        </p>
        <p>{t('Wenn Sie den neuen Entwurf löschen, gilt wieder diese Fassung.')}</p>
      </ConfirmDialog>
    </>
  )
}
