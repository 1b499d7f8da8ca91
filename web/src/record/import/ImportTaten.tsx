// What leads from one step of an import to the next, and back.
import { Button } from '../../ui/Button.tsx'
import { Actions } from '../../ui/Page.tsx'
import { t } from '../../ui/text.ts'

interface Props {
  busy: boolean
  /** What is needed for the next step is there. */
  ready: boolean
  onNext: () => void
  onBack: () => void
}

export const ZurPruefung = ({ busy, ready, onNext, onBack }: Props) => (
  <Actions>
    <Button variant="primary" busy={busy} disabled={!ready} onClick={onNext}>
      {busy ? t('Wird geprüft …') : t('Weiter zur Prüfung')}
    </Button>
    <Button onClick={onBack} disabled={busy}>
      {t('Andere Datei')}
    </Button>
  </Actions>
)

export const Uebernehmen = ({ busy, ready, onNext, onBack }: Props) => (
  <Actions>
    <Button variant="primary" busy={busy} disabled={!ready} onClick={onNext}>
      {busy ? t('Wird importiert …') : t('Jetzt importieren')}
    </Button>
    <Button onClick={onBack} disabled={busy}>
      {t('Zurück zur Zuordnung')}
    </Button>
  </Actions>
)
