// Loaded after the first page: preferences from the database, settings panel, notice of changed rights,
// release notes, update offer.
import { useEffect } from 'react'
import { useSession } from '../../data/session.ts'
import { refuseTooLong } from '../../ui/refuse-too-long.ts'
import { useApplication } from '../app-context.ts'
import { startPreferencesSync } from '../preferences-sync.ts'
import { useRouter } from '../routing/RouterProvider.tsx'
// Loaded in advance, because they are needed when a session ends or something fails, even if the server is
// down.
import './ErrorLogButton.tsx'
import './ExpiryDialog.tsx'
import '../../ui/Toaster.tsx'
// A menu that is folded later needs it at once.
import './FlyingGroup.tsx'
import './later.css'
import './print.css'
import { markPressed } from './pressed.ts'
import { markPrintedPages } from './print-marks.ts'
import { RightsChanged } from './RightsChanged.tsx'
import { ReleaseNote } from './ReleaseNote.tsx'
import { SettingsPanel } from './SettingsPanel.tsx'
import { ShortcutsKey } from '../shortcuts/ShortcutsKey.tsx'
import { UpdateOffer } from './UpdateOffer.tsx'

export function Later() {
  const { config } = useApplication()
  const router = useRouter()
  const { user, localOnly } = useSession()
  const person = localOnly ? undefined : user?.user_id
  useEffect(() => {
    if (person !== undefined) startPreferencesSync(person)
  }, [person])
  useEffect(() => markPressed(router), [router])
  useEffect(markPrintedPages, [])
  useEffect(refuseTooLong, [])
  return (
    <>
      {config.shell.showSettings && <SettingsPanel />}
      <ShortcutsKey />
      <div className="corner" aria-live="polite">
        <RightsChanged />
        <UpdateOffer />
        <ReleaseNote />
      </div>
    </>
  )
}
