// Objects that lie apart from nearly all others: usually in the wrong zone. The map begins without them.
import type { KatasterOverview } from '#contract/vermessung.ts'
import { kindWords } from '../../record/kataster/kataster-words.ts'
import { ButtonLink } from '../../ui/Button.tsx'
import { Notice } from '../../ui/Display.tsx'
import { formatNumber } from '../../ui/format.ts'
import { Actions } from '../../ui/Page.tsx'
import { t } from '../../ui/text.ts'

export function FarObjects({ abseits: { anzahl, objekte } }: Pick<KatasterOverview, 'abseits'>) {
  if (anzahl === 0) return null
  return (
    <Notice
      tone="warning"
      title={
        anzahl === 1
          ? t('Ein Objekt liegt weit abseits')
          : t('{n} Objekte liegen weit abseits', { n: formatNumber(anzahl) })
      }
    >
      <p>
        {t(
          'Die Karte beginnt dort, wo fast alle Objekte liegen. Meist war beim Import die falsche Zone gewählt: ' +
            'Bitte berichtigen Sie die Lage, oder löschen Sie, was nicht hierher gehört.',
        )}
      </p>
      <Actions>
        {objekte.map(({ tabelle, id, schluessel }) => (
          <ButtonLink key={`${tabelle}.${id}`} href={`/kataster/objekt/${tabelle}.${id}`}>
            {`${kindWords(tabelle).one} ${schluessel ?? `#${id}`}`}
          </ButtonLink>
        ))}
      </Actions>
    </Notice>
  )
}
