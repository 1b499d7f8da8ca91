// A text of a document with the blocks that can be put into it.
import { useQuery } from '@tanstack/react-query'
import type { FreitextArt } from '#domain/freitext.ts'
import { fillPlatzhalter, type Platzhalter } from '#domain/platzhalter.ts'
import { TextAreaField, type TextAreaProps } from '../../ui/Field.tsx'
import { Menu } from '../../ui/Menu.tsx'
import { t } from '../../ui/text.ts'
import { freitexteQuery } from './beleg.data.ts'

export function TextMitBausteinen({
  art,
  platzhalter,
  onInsert,
  ...area
}: TextAreaProps & {
  art: FreitextArt
  platzhalter: () => Partial<Record<Platzhalter, string>>
  /** Behind what stands there. */
  onInsert: (text: string) => void
}) {
  const blocks = (useQuery(freitexteQuery).data ?? []).filter((block) => block.art === art && !block.archiviert)
  return (
    <div className="beleg-text">
      {blocks.length > 0 && (
        <div className="beleg-text-blocks">
          <Menu
            label={t('Textbaustein für {label}', { label: area.label })}
            trigger={t('Textbaustein')}
            className="button button-quiet button-small"
            align="end"
            items={blocks.map(({ id, titel, text }) => ({
              key: String(id),
              label: titel,
              onSelect: () => onInsert(fillPlatzhalter(text, platzhalter())),
            }))}
          />
        </div>
      )}
      <TextAreaField {...area} />
    </div>
  )
}
