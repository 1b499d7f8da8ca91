// Says why the next step of an import is not possible yet: what is missing, and nothing else.
import { Notice } from '../../ui/Display.tsx'
import { t } from '../../ui/text.ts'

export function MissingNotice({ missing }: { missing: readonly string[] }) {
  if (missing.length === 0) return null
  return (
    <Notice tone="warning" title={t('Es fehlt noch etwas')}>
      {t('Bitte wählen Sie noch: {fields}.', { fields: missing.join(', ') })}
    </Notice>
  )
}
