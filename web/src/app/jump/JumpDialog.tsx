// The jump-to search: a combobox above its list (WAI-ARIA pattern "combobox with listbox popup"). Focus stays
// in the field; the arrow keys move the selection.
import { type KeyboardEvent, type MouseEvent, useEffect, useId, useRef, useState } from 'react'
import { ApiError } from '../../data/api-error.ts'
import { useSession } from '../../data/session.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Icon } from '../../ui/Icon.tsx'
import { t } from '../../ui/text.ts'
import { useRouter } from '../routing/RouterProvider.tsx'
import '../../ui/field.css'
import './jump.css'
import { actionsFor, commandOf, findActions } from './actions.ts'
import { JumpOptions, optionId } from './JumpOptions.tsx'
import {
  type Goal,
  goalOf,
  nextChoice,
  pagesOf,
  recentGoals,
  rememberGoal,
  searchable,
  sectionsOf,
} from './jump.ts'
import { typedEarly } from './typed-early.ts'
import { useSearch } from './use-search.ts'

/** What was typed, what was found for it, and what is chosen. */
function useGoals() {
  const { roles } = useSession()
  const [query, setQuery] = useState(typedEarly)
  const [chosen, choose] = useState(0)
  const [recent] = useState(() => recentGoals(roles))
  const command = commandOf(query, roles)
  const { rows, ...search } = useSearch(command?.rest ?? query, searchable(roles))
  const found = rows.flatMap((row) => {
    const goal = goalOf(row, roles)
    return goal ? [{ goal, rang: row.rang }] : []
  })
  const plain = command === null ? findActions(query, roles) : { goals: [], commanded: true }
  const sections = sectionsOf(query, {
    recent,
    pages: pagesOf(roles),
    found,
    actions: [...plain.goals, ...actionsFor(rows, command, roles)],
    commanded: plain.commanded,
  })
  const goals = sections.flatMap((section) => section.goals)
  const at = Math.min(chosen, goals.length - 1)
  const goal = goals[at]
  // Pages and recent goals match the text as it is; records may still be those of the text before.
  const isLocal = sections.some(
    ({ key, goals: some }) =>
      (key === 'recent' || key === 'pages') && goal !== undefined && some.includes(goal),
  )
  return {
    ...search,
    /** Nobody has chosen, and what comes first may be another record once the answer is there. */
    isUndecided: search.waiting && chosen === 0 && !isLocal,
    rows,
    query,
    sections,
    goals,
    /** Index of the chosen goal across all sections; -1 without any. */
    at,
    choose,
    type: (text: string) => {
      setQuery(text)
      choose(0)
    },
  }
}

type Found = ReturnType<typeof useGoals>

/** Goes to a goal, by key or by mouse. */
function useJump({ query, goals, at, choose, isUndecided }: Found, onClose: () => void) {
  const { roles } = useSession()
  const router = useRouter()
  // Enter before the answer: it holds for this text, and opens what is found for it.
  const held = useRef<{ readonly query: string; readonly beside: boolean } | null>(null)
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
      choose(next)
    }
    // While an input method is composing, Enter only ends the composition.
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
    event.preventDefault()
    const beside = event.ctrlKey || event.metaKey
    const goal = goals[at]
    if (isUndecided) held.current = { query, beside }
    else if (goal) jump(goal, beside)
  }
  useEffect(() => {
    const { current } = held
    if (current === null || (isUndecided && current.query === query)) return
    held.current = null
    const goal = goals[at]
    if (goal && current.query === query) jump(goal, current.beside)
  })
  const onPress = (event: MouseEvent, goal: Goal) => {
    // With a modifier key the browser opens a new tab or window, as for any link.
    if (event.ctrlKey || event.metaKey || event.shiftKey) return rememberGoal(goal, roles)
    event.preventDefault()
    jump(goal, false)
  }
  return { onKeyDown, onPress }
}

export function JumpDialog({ onClose }: { onClose: () => void }) {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const found = useGoals()
  const { query, rows, goals, at, choose, waiting } = found
  const { onKeyDown, onPress } = useJump(found, onClose)
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' })
  }, [at, query, rows])
  return (
    <Dialog open title={t('Suchen und springen')} onClose={onClose}>
      <div className="jump">
        <JumpField id={id} found={found} onKeyDown={onKeyDown} />
        <output className="visually-hidden">
          {query.trim() === '' || waiting ? '' : countText(goals.length)}
        </output>
        <JumpOptions
          id={id}
          list={list}
          sections={found.sections}
          at={at}
          waiting={waiting}
          onPoint={choose}
          onPress={onPress}
        />
        <Notes found={found} />
        <p className="jump-keys" id={`${id}-keys`}>
          {t('Pfeiltasten wählen, Enter öffnet, Strg+Enter öffnet daneben, Esc schließt.')}
        </p>
      </div>
    </Dialog>
  )
}

function JumpField({
  id,
  found: { query, goals, at, waiting, type },
  onKeyDown,
}: {
  id: string
  found: Found
  onKeyDown: (event: KeyboardEvent) => void
}) {
  return (
    <div className="search">
      <Icon name="search" />
      <input
        className="input"
        type="text"
        role="combobox"
        aria-label={t('Name, Ort, Nummer, Betrag oder Seite')}
        placeholder={t('Name, Ort, Nummer, Betrag oder Seite')}
        aria-expanded={goals.length > 0}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={goals.length > 0 ? optionId(id, at) : undefined}
        aria-describedby={`${id}-keys`}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        value={query}
        onChange={(event) => type(event.target.value)}
        onKeyDown={onKeyDown}
      />
      {waiting && <span className="spinner" aria-hidden="true" />}
    </div>
  )
}

/** Why nothing, or not everything, was found. */
function Notes({ found: { query, goals, waiting, error, retry } }: { found: Found }) {
  if (error !== null && error !== undefined)
    return (
      <div className="jump-note" role="alert">
        <p>
          {t('Datensätze konnten nicht durchsucht werden.')} {error instanceof ApiError ? error.message : ''}
        </p>
        <Button size="small" icon="refresh" onClick={retry}>
          {t('Erneut versuchen')}
        </Button>
      </div>
    )
  if (goals.length > 0 || waiting) return null
  return (
    <p className="jump-note">
      {query.trim().length < 2
        ? t('Tippen Sie mindestens zwei Zeichen oder eine Nummer.')
        : t(
            'Nichts gefunden zu „{query}“. Versuchen Sie weniger Buchstaben, einen Ort, eine Postleitzahl oder ' +
              'eine Nummer.',
            { query: query.trim() },
          )}
    </p>
  )
}

const countText = (count: number) =>
  count === 0 ? t('Keine Treffer') : count === 1 ? t('Ein Treffer') : t('{count} Treffer', { count })
