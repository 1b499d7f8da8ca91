// Below the lines: adding one, the keys, and what was just done.
import type { ReactNode, Ref } from 'react'
import { Button } from '../../../ui/Button.tsx'
import { t } from '../../../ui/text.ts'

export function PositionFoot({
  addRef,
  helpId,
  news,
  onAdd,
  children,
}: {
  addRef: Ref<HTMLButtonElement>
  helpId: string
  news: string
  onAdd: () => void
  children: ReactNode
}) {
  return (
    <div className="pos-foot">
      <Button ref={addRef} size="small" icon="plus" onClick={onAdd}>
        {t('Position hinzufügen')}
      </Button>
      <details className="pos-help">
        <summary>{t('Tastatur')}</summary>
        <p id={helpId}>
          {t(
            'Pfeile bewegen, Tippen oder F2 ändert, Enter übernimmt, Esc verwirft oder verlässt die ' +
              'Tabelle. Strg+Enter fügt eine Zeile ein, Strg+D verdoppelt, Strg+Entf löscht, Alt+Pfeil ' +
              'verschiebt, Alt+Enter öffnet die Erläuterung, Umschalt+Pfeil wählt Zeilen, Strg+Z nimmt ' +
              'zurück. Zeilen aus Excel lassen sich einfügen.',
          )}
        </p>
      </details>
      <output className="pos-news" aria-live="polite">
        {news}
      </output>
      {children}
    </div>
  )
}
