// The jump-to search: a combobox above its list (WAI-ARIA pattern "combobox with listbox popup"). Focus stays
// in the field; the arrow keys move the selection.
/* oxlint-disable jsx-a11y/prefer-tag-over-role -- a select cannot contain links or a second line */
import {
  type KeyboardEvent,
  type MouseEvent,
  type RefObject,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react'
import { ApiError } from '../../data/api-error.ts'
import { useSession } from '../../data/session.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { t } from '../../ui/text.ts'
import { useRouter } from '../routing/RouterProvider.tsx'
import '../../ui/field.css'
import './jump.css'
import {
  type Goal,
  goalOf,
  pagesOf,
  recentGoals,
  rememberGoal,
  searchable,
  type Section,
  sectionsOf,
} from './jump.ts'
import { useSearch } from './use-search.ts'

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
      return t('Karten')
  }
}

export function JumpDialog({ onClose }: { onClose: () => void }) {
  const { roles } = useSession()
  const router = useRouter()
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const [query, setQuery] = useState('')
  const [chosen, setChosen] = useState(0)
  const [recent] = useState(() => recentGoals(roles))
  const { rows, waiting, error, retry } = useSearch(query, searchable(roles))
  const found = rows.flatMap((row) => {
    const goal = goalOf(row, roles)
    return goal ? [{ goal, rang: row.rang }] : []
  })
  const sections = sectionsOf(query, { recent, pages: pagesOf(roles), found })
  const goals = sections.flatMap((section) => section.goals)
  const at = Math.min(chosen, goals.length - 1)

  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  }, [at, query, rows])

  const jump = (goal: Goal, beside: boolean) => {
    rememberGoal(goal, roles)
    if (beside) {
      window.open(goal.href, '_blank', 'noopener')
      return
    }
    onClose()
    router.navigate(goal.href)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const next = nextChoice(event.key, at, goals.length)
    if (next !== undefined) {
      event.preventDefault()
      setChosen(next)
    }
    // While an input method is composing, Enter only ends the composition.
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
    event.preventDefault()
    const goal = goals[at]
    if (goal) jump(goal, event.ctrlKey || event.metaKey)
  }
  const onPress = (event: MouseEvent, goal: Goal) => {
    // With a modifier key the browser opens a new tab or window, as for any link.
    if (event.ctrlKey || event.metaKey || event.shiftKey) return rememberGoal(goal, roles)
    event.preventDefault()
    jump(goal, false)
  }
  return (
    <Dialog open title={t('Suchen und springen')} onClose={onClose}>
      <div className="jump">
        <div className="search">
          <Icon name="search" />
          <input
            className="input"
            type="text"
            role="combobox"
            aria-label={t('Seite, Name, Ort oder Nummer')}
            placeholder={t('Seite, Name, Ort oder Nummer')}
            aria-expanded={goals.length > 0}
            aria-controls={`${id}-list`}
            aria-autocomplete="list"
            aria-activedescendant={goals.length > 0 ? optionId(id, at) : undefined}
            aria-describedby={`${id}-keys`}
            autoComplete="off"
            autoCapitalize="off"
            spellCheck={false}
            maxLength={100}
            value={query}
            onChange={(event) => {
              setQuery(event.target.value)
              setChosen(0)
            }}
            onKeyDown={onKeyDown}
          />
          {waiting && <span className="spinner" aria-hidden="true" />}
        </div>
        <output className="visually-hidden">
          {query.trim() === '' || waiting ? '' : countText(goals.length)}
        </output>
        <Options
          id={id}
          list={list}
          sections={sections}
          at={at}
          waiting={waiting}
          onPoint={setChosen}
          onPress={onPress}
        />
        {error !== null && error !== undefined && (
          <div className="jump-note" role="alert">
            <p>
              {t('Datensätze konnten nicht durchsucht werden.')}{' '}
              {error instanceof ApiError ? error.message : ''}
            </p>
            <Button size="small" icon="refresh" onClick={retry}>
              {t('Erneut versuchen')}
            </Button>
          </div>
        )}
        {goals.length === 0 && !waiting && !error && (
          <p className="jump-note">
            {query.trim().length < 2
              ? t('Tippen Sie mindestens zwei Zeichen oder eine Nummer.')
              : t(
                  'Nichts gefunden zu „{query}“. Versuchen Sie weniger Buchstaben, einen Ort, eine Postleitzahl oder eine Nummer.',
                  {
                    query: query.trim(),
                  },
                )}
          </p>
        )}
        <p className="jump-keys" id={`${id}-keys`}>
          {t('Pfeiltasten wählen, Enter öffnet, Strg+Enter öffnet daneben, Esc schließt.')}
        </p>
      </div>
    </Dialog>
  )
}

const optionId = (id: string, index: number) => `${id}-${index}`

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
function Options({ id, list, sections, at, waiting, onPoint, onPress }: OptionsProps) {
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

const countText = (count: number) =>
  count === 0 ? t('Keine Treffer') : count === 1 ? t('Ein Treffer') : t('{count} Treffer', { count })

/** The next selection, wrapping around. Home and End stay with the text field. */
function nextChoice(key: string, at: number, count: number): number | undefined {
  if (count === 0) return undefined
  if (key === 'ArrowDown') return (at + 1) % count
  if (key === 'ArrowUp') return (at - 1 + count) % count
  if (key === 'PageDown') return Math.min(at + 6, count - 1)
  if (key === 'PageUp') return Math.max(at - 6, 0)
  return undefined
}
