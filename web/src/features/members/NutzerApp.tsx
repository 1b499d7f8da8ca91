// Access to the mobile app.
import { useState } from 'react'
import { nameOf } from '../../record/person/person-words.ts'
import { appText } from '../../members/member-words.ts'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/Dialog.tsx'
import { Badge, Card } from '../../ui/Display.tsx'
import { t } from '../../ui/text.ts'
import { toast } from '../../ui/toasts.ts'
import { type Person, useAppStatus } from './nutzer.data.ts'

export function NutzerApp({ person }: { person: Person }) {
  const [asking, setAsking] = useState(false)
  const set = useAppStatus(person)
  const isActive = person.app_status === 'aktiv'
  const name = nameOf(person)
  const change = () => {
    return set.mutateAsync(isActive ? 'gesperrt' : 'aktiv').then(() => {
      toast.undo(
        isActive
          ? t('{name} kann die App nicht mehr benutzen.', { name })
          : t('{name} kann die App wieder benutzen.', { name }),
        () => set.mutateAsync(isActive ? 'aktiv' : 'gesperrt'),
      )
      setAsking(false)
    })
  }
  return (
    <Card title={t('Mobile App')}>
      <div className="mitglieder-line">
        <Badge tone={isActive ? 'success' : 'warning'}>{appText(person.app_status)}</Badge>
        <Button onClick={() => setAsking(true)}>{isActive ? t('App sperren') : t('App entsperren')}</Button>
      </div>
      <ConfirmDialog
        open={asking}
        title={isActive ? t('App sperren?') : t('App entsperren?')}
        record={`${name} · ${person.email}`}
        confirmLabel={isActive ? t('App sperren') : t('App entsperren')}
        danger={isActive}
        busy={set.isPending}
        onConfirm={change}
        onCancel={() => setAsking(false)}
      >
        <p>
          {isActive
            ? t('Die Person kann die mobile App nicht mehr benutzen. Der Zugang am Rechner bleibt.')
            : t('Die Person kann die mobile App wieder benutzen.')}
        </p>
      </ConfirmDialog>
    </Card>
  )
}
