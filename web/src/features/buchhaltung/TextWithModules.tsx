// A text of a document with the text blocks that can be inserted into it.
import { useQuery } from '@tanstack/react-query'
import type { TextModuleKind } from '#domain/text-module.ts'
import { fillPlaceholders, type Placeholder } from '#domain/placeholders.ts'
import { TextAreaField, type TextAreaProps } from '../../ui/Field.tsx'
import { Menu } from '../../ui/Menu.tsx'
import { t } from '../../ui/text.ts'
import { textModulesQuery } from './beleg.data.ts'

export function TextWithModules({
  art,
  platzhalter,
  onInsert,
  ...area
}: TextAreaProps & {
  art: TextModuleKind
  platzhalter: () => Partial<Record<Placeholder, string>>
  /** Appends to the existing text. */
  onInsert: (text: string) => void
}) {
  const blocks = (useQuery(textModulesQuery).data ?? []).filter(
    (block) => block.art === art && !block.archiviert,
  )
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
              onSelect: () => onInsert(fillPlaceholders(text, platzhalter())),
            }))}
          />
        </div>
      )}
      <TextAreaField {...area} />
    </div>
  )
}
