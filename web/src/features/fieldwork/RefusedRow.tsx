// A capture of a rescue file that the server did not take, and what to do about it.
import { t } from '../../ui/text.ts'
import type { AnyCapture } from './fieldwork-db.ts'
import { useRuleText } from './rule-text.ts'

export function RefusedRow({ capture, name }: { capture: AnyCapture; name: string }) {
  const { stand, antwort, basis, tabelle } = capture
  const reason = useRuleText(antwort?.regel ?? null)
  return (
    <li>
      <strong>
        {basis === null || tabelle !== undefined ? name : <a href={`/habitatbaeume/${basis.id}`}>{name}</a>}
      </strong>
      <div className="soft">
        {stand === 'konflikt'
          ? tabelle === undefined
            ? t(
                'Jemand hat diesen Baum inzwischen geändert; seine Angaben bleiben, wie sie beim Server sind.',
              )
            : t('Jemand hat dieses Objekt inzwischen geändert; es bleibt, wie es beim Server ist.')
          : stand === 'geloescht'
            ? tabelle === undefined
              ? t('Der Baum wurde inzwischen gelöscht.')
              : t('Das Objekt wurde inzwischen gelöscht.')
            : reason}
      </div>
    </li>
  )
}
