// Loaded after the first page: settings panel, rights that have changed, news, offers of new versions.
import { useApplication } from '../app-context.ts'
// Wanted when a session is over: its code must be here by then, whatever became of the server.
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
