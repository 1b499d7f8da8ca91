// /profile/index: the person's own data and settings. The cards come from the features; this page only
// assembles them.
import type { ReactNode } from 'react'
import { useSession } from '../../data/session.ts'
import { OwnData } from '../../features/nutzer/profile/OwnData.tsx'
import { OwnRoles, OwnLinks } from '../../features/nutzer/profile/OwnRoles.tsx'
import { OwnAccount } from '../../features/nutzer/profile/OwnAccount.tsx'
import { Card } from '../../ui/Display.tsx'
import { Page } from '../../ui/Page.tsx'
import { Skeleton } from '../../ui/States.tsx'
import { splitOff } from '../../ui/split-off.tsx'
import { t } from '../../ui/text.ts'
import { forgetUnsavedChanges } from '../../ui/unsaved.ts'
import { useApplication } from '../app-context.ts'
import { useSignOut } from '../sign-out.ts'

// Loaded on demand: below the fold and larger than it looks.
const Appearance = splitOff(
  async () => (await import('../../ui/Appearance.tsx')).Appearance,
  <Skeleton lines={3} />,
)
const NoticeSettings = splitOff(
  async () => (await import('../notices/NoticeSettings.tsx')).NoticeSettings,
  <Skeleton lines={3} />,
)

const OwnKeys = splitOff(
  async () => (await import('../../features/program-keys/ProgramKeys.tsx')).OwnKeys,
  <Skeleton lines={3} />,
)

const MyData = splitOff(
  async () => (await import('../../features/privacy/MyData.tsx')).MyData,
  <Skeleton lines={3} />,
)

/** Cards of other features: a heading and the content to load below it. */
const MORE: readonly { readonly title: () => string; readonly content: ReactNode }[] = [
  { title: () => t('Darstellung'), content: <Appearance /> },
  { title: () => t('Benachrichtigungen'), content: <NoticeSettings /> },
  { title: () => t('Meine Daten'), content: <MyData /> },
]

export function ProfilePage() {
  const { email } = useSession()
  const { reloadSession, config } = useApplication()
  // The data has been saved even if the frame cannot be updated.
  const showName = () =>
    reloadSession().catch((error: unknown) => console.warn('the frame still shows the former name', error))
  const signOut = useSignOut()
  const leave = () => {
    forgetUnsavedChanges()
    signOut()
  }
  return (
    <Page width="narrow" subtitle={email}>
      <OwnData onSaved={showName} />
      <OwnRoles />
      <OwnLinks />
      <OwnAccount onEnded={leave} />
      <Card title={t('Schlüssel für Programme')}>
        <OwnKeys dataApi={config.dataApi} />
      </Card>
      {MORE.map(({ title, content }) => (
        <Card key={title()} title={title()}>
          {content}
        </Card>
      ))}
    </Page>
  )
}
