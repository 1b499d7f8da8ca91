// A capture of a rescue file that the server did not take, and what to do about it.
import { t } from '../../ui/text.ts'
import type { FieldworkCapture } from './fieldwork-db.ts'
import { useRuleText } from './rule-text.ts'

export function RefusedRow({ capture, name }: { capture: FieldworkCapture; name: string }) {
  const { stand, antwort, basis } = capture
  const reason = useRuleText(antwort?.regel ?? null)
  return (
    <li>
      <strong>{basis === null ? name : <a href={`/habitatbaeume/${basis.id}`}>{name}</a>}</strong>
      <div className="soft">
        {stand === 'konflikt'
          ? t('Jemand hat diesen Baum inzwischen geändert; seine Angaben bleiben, wie sie beim Server sind.')
          : stand === 'geloescht'
            ? t('Der Baum wurde inzwischen gelöscht.')
            : reason}
      </div>
    </li>
  )
}
