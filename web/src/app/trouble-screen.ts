// Says what holds up the start, until the screens take over. It is drawn by public/anfang.js, which is there before any of our code and draws what became of that too.
import { isPreparedForField } from './field-device.ts'
import { currentTrouble, subscribeTrouble, tryAgain } from './keep-trying.ts'
import { FIELDWORK } from './mobile.ts'

let end: (() => void) | undefined

/** From here on the script shows what it is told, and no longer watches by itself. */
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

/** The server's settings could not be used: nothing can work, and loading again by itself would only go round in circles. */
export function showUnusable(detail: string): void {
  document.addEventListener('anfang-erneut', () => location.reload())
  document.dispatchEvent(
    new CustomEvent('anfang', { detail: { state: 'stopped', kind: 'unusable', detail } }),
  )
}
