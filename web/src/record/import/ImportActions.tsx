// Buttons from one step of an import to the next, and back.
import { Button } from '../../ui/Button.tsx'
import { Actions } from '../../ui/Page.tsx'
import { t } from '../../ui/text.ts'

interface Props {
  busy: boolean
  /** The next step is possible. */
  ready: boolean
  onNext: () => void
  onBack: () => void
}
interface Words {
  next: string
  working: string
  back: string
}

const ActionBar = ({ busy, ready, onNext, onBack, next, working, back }: Props & Words) => (
  <Actions>
    <Button variant="primary" busy={busy} disabled={!ready} onClick={onNext}>
      {busy ? working : next}
    </Button>
    <Button onClick={onBack} disabled={busy}>
      {back}
    </Button>
  </Actions>
)

export const ToCheck = (props: Props) => (
  <ActionBar
    {...props}
    next={t('Weiter zur Prüfung')}
    working={t('Wird geprüft …')}
    back={t('Andere Datei')}
  />
)

export const ApplyImport = (props: Props) => (
  <ActionBar
    {...props}
    next={t('Jetzt importieren')}
    working={t('Wird importiert …')}
    back={t('Zurück zur Zuordnung')}
  />
)
