// "Seite einrichten": settings panel at the right edge, if the installation offers it. Its handle sits at the
// edge, where it covers nothing that can be pressed, and moves with the panel.
import { type Ref, useRef, useState } from 'react'
import { Appearance } from '../../ui/Appearance.tsx'
import { Switch } from '../../ui/Choice.tsx'
import { Drawer } from '../../ui/Dialog.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { setPreference, usePreferences } from '../../ui/preferences.ts'
import { t } from '../../ui/text.ts'
import { useApplication } from '../app-context.ts'
import './settings-panel.css'
import { useFreePlace } from './use-free-place.ts'

/** Keeps the panel open when a change of language recreates it. */
let wasOpen = false

export function SettingsPanel() {
  const { config } = useApplication()
  const [open, setOpenState] = useState(wasOpen)
  const setOpen = (next: boolean) => {
    wasOpen = next
    setOpenState(next)
  }
  const { settingsTop, clickNotClose } = config.shell
  const handle = useRef<HTMLButtonElement>(null)
  const top = useFreePlace(handle, settingsTop)
  return (
    <>
      {/* Stays rendered while the panel is open, so that focus can return to it. */}
      <Handle ref={handle} top={top} open={false} onPress={() => setOpen(true)} />
      <Drawer
        open={open}
        onClose={() => setOpen(false)}
        title={t('Seite einrichten')}
        width="small"
        outside={!clickNotClose}
      >
        <Handle top={top} open onPress={() => setOpen(false)} />
        <div className="settings">
          <Appearance />
          <ShellSwitches />
        </div>
      </Drawer>
    </>
  )
}

interface HandleProps {
  ref?: Ref<HTMLButtonElement>
  top: number
  open: boolean
  onPress: () => void
}

function Handle({ ref, top, open, onPress }: HandleProps) {
  const label = open ? t('Seite einrichten schließen') : t('Seite einrichten')
  return (
    <button
      ref={ref}
      type="button"
      className="settings-handle"
      style={{ top: `min(${top}px, 100vh - 56px)` }}
      aria-label={label}
      title={label}
      aria-expanded={open}
      onClick={onPress}
    >
      <Icon name={open ? 'close' : 'gear'} size={24} />
    </button>
  )
}

function ShellSwitches() {
  const { tagsView, fixedHeader, sidebarLogo } = usePreferences()
  return (
    <div className="settings-switches">
      <Switch
        label={t('Reiter anzeigen')}
        checked={tagsView}
        onChange={(on) => setPreference('tagsView', on)}
      />
      <Switch
        label={t('Kopf fest')}
        checked={fixedHeader}
        onChange={(on) => setPreference('fixedHeader', on)}
      />
      <Switch
        label={t('Logo in der Seitenleiste')}
        checked={sidebarLogo}
        onChange={(on) => setPreference('sidebarLogo', on)}
      />
    </div>
  )
}
