// Loaded after the first page: settings panel, notice of changed rights, release notes, update offer.
import { useApplication } from '../app-context.ts'
// Loaded in advance, because they are needed when a session ends, even if the server is down.
import './ExpiryDialog.tsx'
import '../../ui/Toaster.tsx'
import './later.css'
import { RightsChanged } from './RightsChanged.tsx'
import { ReleaseNote } from './ReleaseNote.tsx'
import { SettingsPanel } from './SettingsPanel.tsx'
import { UpdateOffer } from './UpdateOffer.tsx'

export function Later() {
  const { config } = useApplication()
  return (
    <>
      {config.shell.showSettings && <SettingsPanel />}
      <div className="corner" aria-live="polite">
        <RightsChanged />
        <UpdateOffer />
        <ReleaseNote />
      </div>
    </>
  )
}
