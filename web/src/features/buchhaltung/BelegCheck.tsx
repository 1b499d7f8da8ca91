// What is left to do before the document can be issued; each entry leads to its field.
import type { BelegFault } from '#domain/beleg-fault.ts'
import { Button } from '../../ui/Button.tsx'
import { Badge } from '../../ui/Display.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { t } from '../../ui/text.ts'

export interface CheckProps {
  faults: readonly BelegFault[]
  /** The page on which the field is corrected; null if it is on this page. */
  hrefOf: (field: string) => string | null
  onJump: (field: string) => void
  /** Dates the document today. */
  onToday: () => void
  /** Gives the lines the tax that belongs to the place of supply. */
  onTax: () => void
}

/** Faults that today's date fixes. */
const OTHER_DAY = new Set(['datum_fehlt', 'datum_vor_letzter', 'datum_zukunft'])
/** Faults that the tax of the place of supply fixes. */
const OTHER_TAX = new Set(['ort_inland', 'ort_ausland', 'ort_nicht_steuerbar'])

export function BelegCheck({ faults, hrefOf, onJump, onToday, onTax }: CheckProps) {
  if (faults.length === 0)
    return (
      <p className="beleg-clean">
        <Icon name="check" size={18} />
        {t('Alles in Ordnung: Der Beleg kann ausgestellt werden.')}
      </p>
    )
  return (
    <ul className="beleg-faults" aria-label={t('Zu prüfen')}>
      {faults.map(({ feld, code, text, severity }) => {
        const href = hrefOf(feld)
        return (
          <li key={`${feld} ${code}`}>
            <Badge tone={severity === 'fehler' ? 'danger' : 'warning'}>
              {severity === 'fehler' ? t('Fehler') : t('Hinweis')}
            </Badge>
            {href === null ? (
              <button type="button" className="beleg-jump" onClick={() => onJump(feld)}>
                {text}
              </button>
            ) : (
              <a href={href}>{text}</a>
            )}
            {OTHER_DAY.has(code) && (
              <Button size="small" onClick={onToday}>
                {t('Auf heute datieren')}
              </Button>
            )}
            {OTHER_TAX.has(code) && (
              <Button size="small" onClick={onTax}>
                {t('Steuer anpassen')}
              </Button>
            )}
          </li>
        )
      })}
    </ul>
  )
}
