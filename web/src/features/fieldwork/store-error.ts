// What goes wrong with the device's storage, in words for the person.
import { t } from '../../ui/text.ts'
import { ToldError } from '../../ui/told-error.ts'

/** The device's storage failed. `message` is shown to the person; input is not lost by it. */
export class StoreError extends ToldError {
  override readonly name = 'StoreError'
  readonly origin = undefined
  readonly code: 'voll' | 'gesperrt' | 'versperrt' | 'neuer' | 'fehler'
  constructor(code: StoreError['code'], cause?: unknown) {
    super(SENTENCES[code](), { cause })
    this.code = code
  }
}
const SENTENCES: Record<StoreError['code'], () => string> = {
  voll: () =>
    t(
      'Der Speicher dieses Geräts ist voll. Übertragen Sie, was wartet, oder schaffen Sie Platz, und ' +
        'speichern Sie dann noch einmal.',
    ),
  gesperrt: () =>
    t(
      'Dieser Browser lässt hier nichts auf dem Gerät speichern, etwa in einem privaten Fenster. Bitte ' +
        'öffnen Sie den Feldmodus in einem normalen Fenster.',
    ),
  versperrt: () =>
    t(
      'Ein anderes Fenster hält den Speicher noch offen. Bitte schließen Sie die anderen Fenster und laden Sie neu.',
    ),
  neuer: () =>
    t('Auf diesem Gerät liegt schon eine neuere Fassung des Feldmodus. Bitte laden Sie die Seite neu.'),
  fehler: () =>
    t(
      'Der Speicher dieses Geräts antwortet nicht. Laden Sie die Seite neu; was gespeichert ist, bleibt erhalten.',
    ),
}

/** Maps a browser's storage error to a StoreError. */
export function storeErrorOf(error: unknown): StoreError {
  if (error instanceof StoreError) return error
  const name = (error as { name?: unknown } | null)?.name
  if (name === 'QuotaExceededError') return new StoreError('voll', error)
  if (name === 'SecurityError' || name === 'InvalidAccessError') return new StoreError('gesperrt', error)
  if (name === 'VersionError') return new StoreError('neuer', error)
  // Older Firefox in private windows does not allow opening at all.
  if (name === 'InvalidStateError' && globalThis.indexedDB === undefined)
    return new StoreError('gesperrt', error)
  return new StoreError('fehler', error)
}
