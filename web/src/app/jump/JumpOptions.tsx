// The list below the jump-to search, in sections.
/* oxlint-disable jsx-a11y/prefer-tag-over-role -- a select cannot contain links or a second line */
import { type MouseEvent, type RefObject } from 'react'
import { Icon } from '../../ui/Icon.tsx'
import { t } from '../../ui/text.ts'
import type { Goal, Section } from './jump.ts'

function headingOf(key: Section['key']): string {
  switch (key) {
    case 'recent':
      return t('Zuletzt gewählt')
    case 'pages':
      return t('Seiten')
    case 'kunde':
      return t('Kunden')
    case 'hq':
      return t('Forstbetriebe')
    case 'benutzer':
      return t('Nutzer')
    case 'karte':
      return t('Pläne')
    case 'rechnung':
      return t('Rechnungen')
    case 'angebot':
      return t('Angebote')
    case 'eingang':
      return t('Eingangsrechnungen')
    case 'serie':
      return t('Wiederkehrende Rechnungen')
    case 'habitatbaum':
      return t('Habitatbäume')
    case 'actions':
      return t('Aktionen')
  }
}

export const optionId = (id: string, index: number) => `${id}-${index}`

interface OptionsProps {
  id: string
  list: RefObject<HTMLDivElement | null>
  sections: readonly Section[]
  /** Index of the selected option across all sections. */
  at: number
  waiting: boolean
  onPoint: (index: number) => void
  onPress: (event: MouseEvent, goal: Goal) => void
}
export function JumpOptions({ id, list, sections, at, waiting, onPoint, onPress }: OptionsProps) {
  let index = -1
  return (
    <div
      ref={list}
      className="jump-list"
      role="listbox"
      id={`${id}-list`}
      aria-label={t('Treffer')}
      aria-busy={waiting}
    >
      {sections.map(({ key, goals }) => (
        <div key={key} role="group" aria-label={headingOf(key)}>
          <p className="jump-heading" aria-hidden="true">
            {headingOf(key)}
          </p>
          {goals.map((goal) => {
            index++
            const own = index
            return (
              <a
                key={goal.href}
                id={optionId(id, own)}
                role="option"
                aria-selected={own === at}
                tabIndex={-1}
                href={goal.href}
                className="jump-option"
                onMouseMove={() => own !== at && onPoint(own)}
                // Keeps focus in the field.
                onMouseDown={(event) => event.preventDefault()}
                onClick={(event) => onPress(event, goal)}
              >
                <Icon name={goal.icon} />
                <span className="jump-title">{goal.title}</span>
                {goal.detail && <span className="jump-detail">{goal.detail}</span>}
              </a>
            )
          })}
        </div>
      ))}
    </div>
  )
}
