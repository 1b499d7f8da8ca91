// Synchronises preferences with the database: they are loaded with the session, and saved shortly after each
// change. Offline changes wait in this browser; the last write wins.
import type { Setting } from '#contract/setting.ts'
import { ApiError } from '../data/api-error.ts'
import { selectRows } from '../data/rows.ts'
import { rpc } from '../data/rpc.ts'
import { ownsStores } from './forget.ts'
import {
  adoptPreferences,
  bindPreferences,
  confirmPreferences,
  subscribePreferences,
  waitingPreferences,
  watchOtherWindows,
} from '../ui/preferences.ts'
import { themeTokens } from '../ui/theme.ts'

/** Groups consecutive changes into one call. */
const PAUSE_MS = 400
/** Temporary faults: the change stays queued. */
const PASSING: ReadonlySet<string> = new Set([
  'unavailable',
  'timeout',
  'too_many_requests',
  'not_signed_in',
  'session_expired',
  'internal',
])

let timer: ReturnType<typeof setTimeout> | undefined
let sending: Promise<void> | undefined

let tellLoaded: (known: boolean) => void
/** Whether the server's preferences could be loaded. */
export const preferencesLoaded: Promise<boolean> = new Promise((resolve) => {
  tellLoaded = resolve
})

let isStarted = false
/**
 * Once for a loaded page; another person reloads it. A person who has signed out by now leaves nothing
 * behind.
 */
export function startPreferencesSync(user: number) {
  if (isStarted || !ownsStores(user)) return
  isStarted = true
  bindPreferences(user)
  watchOtherWindows()
  void loadPreferences().then((known) => {
    tellLoaded(known)
    subscribePreferences(sendSoon)
    window.addEventListener('online', sendSoon)
    sendSoon()
  })
}

async function loadPreferences(): Promise<boolean> {
  try {
    const rows = await selectRows<Setting>('einstellung', { select: ['schluessel', 'wert'] })
    adoptPreferences(Object.fromEntries(rows.map(({ schluessel, wert }) => [schluessel, wert])), themeTokens)
    return true
  } catch (error) {
    // The browser's copy is used until the next start.
    console.warn('preferences could not be loaded', error)
    return false
  }
}

function sendSoon() {
  if (Object.keys(waitingPreferences()).length === 0) return
  clearTimeout(timer)
  timer = setTimeout(() => void sendPreferences(), PAUSE_MS)
}

/** One call at a time, so that an earlier change cannot overtake a later one. */
export function sendPreferences(): Promise<void> {
  clearTimeout(timer)
  sending ??= send().finally(() => {
    sending = undefined
  })
  return sending
}
async function send(): Promise<void> {
  const values = waitingPreferences()
  if (Object.keys(values).length === 0) return
  try {
    await rpc('__o_set_einstellungen', { werte: values }, { repeatable: true })
    confirmPreferences(values)
  } catch (error) {
    console.warn('preferences could not be kept', error)
    // Do not resend forever what the server rejects.
    if (error instanceof ApiError && !PASSING.has(error.code)) confirmPreferences(values)
  }
}
