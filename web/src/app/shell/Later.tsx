// Loaded after the first page: settings panel, notice of changed rights, release notes, update offer.
import { useEffect } from 'react'
import { refuseTooLong } from '../../ui/refuse-too-long.ts'
import { useApplication } from '../app-context.ts'
import { useRouter } from '../routing/RouterProvider.tsx'
// Loaded in advance, because they are needed when a session ends, even if the server is down.
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
