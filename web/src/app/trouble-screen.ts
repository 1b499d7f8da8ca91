// Reports what is holding up the start, until the screens take over. Drawn by public/anfang.js, which is
// loaded before any of our code and also handles failures to load that.
import { isPreparedForField } from './field-device.ts'
import { currentTrouble, subscribeTrouble, tryAgain } from './keep-trying.ts'
import { FIELDWORK } from './mobile.ts'

let end: (() => void) | undefined

/** From here on the script only shows what it receives, instead of watching the start itself. */
export function followTrouble(): void {
  const tell = () =>
    document.dispatchEvent(
      new CustomEvent('anfang', {
        detail: { ...currentTrouble(), field: isPreparedForField() ? FIELDWORK : null },
      }),
    )
  document.addEventListener('anfang-erneut', tryAgain)
  document.documentElement.dataset['begun'] = ''
  end = subscribeTrouble(tell)
}
/** From here on the element belongs to the screens. */
export function endTrouble(): void {
  end?.()
  end = undefined
}

/** The server's settings are unusable: nothing can work, and reloading automatically would loop. */
export function showUnusable(detail: string): void {
  document.addEventListener('anfang-erneut', () => location.reload())
  document.dispatchEvent(
    new CustomEvent('anfang', { detail: { state: 'stopped', kind: 'unusable', detail } }),
  )
}
