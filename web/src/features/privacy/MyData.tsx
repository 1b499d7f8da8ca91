// Downloads the user's own data as a file, on the profile page.
import { ApiError } from '../../data/api-error.ts'
import { Button } from '../../ui/Button.tsx'
import { Actions } from '../../ui/Page.tsx'
import { t } from '../../ui/text.ts'
import { toast } from '../../ui/toasts.ts'
import { useOwnCopy } from './privacy.data.ts'

export function MyData() {
  const copy = useOwnCopy()
  const download = async () => {
    try {
      const held = await copy.mutateAsync()
      const { saveCopy } = await import('./copy-file.ts')
      await saveCopy(held)
      toast.success(t('Ihre Daten wurden heruntergeladen.'))
    } catch (error) {
      toast.error(error instanceof ApiError ? error.message : t('Das hat nicht geklappt'))
    }
  }
  return (
    <>
      <p>
        {t(
          'Alles, was über Sie gespeichert ist: Stammdaten, Zuordnungen, Einstellungen, Ansichten, ' +
            'Benachrichtigungen, Anmeldungen und Ihr Anteil am Änderungsverlauf.',
        )}
      </p>
      <p className="soft">
        {t(
          'Eine ZIP-Datei mit einer lesbaren Seite und den Daten als JSON. Passwörter sind nicht enthalten. ' +
            'Der Abruf wird festgehalten.',
        )}
      </p>
      <Actions>
        <Button icon="download" busy={copy.isPending} onClick={() => void download()}>
          {t('Meine Daten herunterladen')}
        </Button>
      </Actions>
    </>
  )
}
