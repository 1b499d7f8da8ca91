// Finds a town, postcode, district or coordinates and moves the map there. Loaded with the first search.
/* oxlint-disable jsx-a11y/prefer-tag-over-role */
import { useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useDeferredValue, useEffect, useId, useRef, useState } from 'react'
import { epsgName } from '#domain/epsg.ts'
import type { Converter } from '#domain/projection.ts'
import { IconButton } from '../ui/Button.tsx'
import { TextField } from '../ui/Field.tsx'
import { t } from '../ui/text.ts'
import { converterQuery } from './converter.ts'
import {
  type FoundPlace,
  findPlaces,
  type Gazetteer,
  GAZETTEER_SOURCES,
  readTypedPlace,
} from './gazetteer.ts'
import { gazetteerQuery } from './gazetteer.data.ts'
import './place-search.css'

/** Metres around typed coordinates, which name a spot and no town. */
const AROUND_SPOT = 250

interface Props {
  /** Gets the extent to show and, for coordinates, the spot itself; both in Web Mercator. */
  onFound: (place: FoundPlace) => void
  onClose: () => void
}

/** Typed coordinates as hits. Systems that cannot be converted here are left out. */
function spotsOf(text: string, converter: Converter | undefined): FoundPlace[] {
  return readTypedPlace(text).flatMap(({ epsg, place }) => {
    if (!converter?.systems.has(epsg)) return []
    const [x, y] = converter.conversion(epsg, 3857)(place)
    if (!Number.isFinite(x) || !Number.isFinite(y)) return []
    return [
      {
        name: place.map((value) => String(value).replace('.', ',')).join(' / '),
        detail: epsgName(epsg),
        box: [x - AROUND_SPOT, y - AROUND_SPOT, x + AROUND_SPOT, y + AROUND_SPOT],
      },
    ]
  })
}

function useHits(text: string) {
  const asked = useDeferredValue(text)
  const gazetteer = useQuery(gazetteerQuery)
  const typed = readTypedPlace(asked).length > 0
  const converter = useQuery({ ...converterQuery, enabled: typed })
  const source = typed ? converter : gazetteer
  const hits = typed
    ? spotsOf(asked, converter.data)
    : gazetteer.data
      ? findPlaces(gazetteer.data satisfies Gazetteer, asked)
      : []
  return { hits, asked, isWaiting: source.isFetching, isFault: source.isError, again: source.refetch }
}

export default function PlaceSearch({ onFound, onClose }: Props) {
  const listId = useId()
  const field = useRef<HTMLDivElement>(null)
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const { hits, asked, isWaiting, isFault, again } = useHits(text)
  const isOpen = asked.trim().length > 1
  useEffect(() => field.current?.querySelector('input')?.focus(), [])
  const isLate = asked !== text || isWaiting
  // Enter before the places are there holds for this text, and shows what is found first for it.
  const entered = useRef<string | null>(null)
  useEffect(() => {
    if (entered.current === null || (isLate && entered.current === text)) return
    const isMeant = entered.current === text
    entered.current = null
    if (isMeant && hits[0]) onFound(hits[0])
  })
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') onClose()
    else if (event.key === 'ArrowDown') setAt((at + 1) % Math.max(1, hits.length))
    else if (event.key === 'ArrowUp') setAt((at - 1 + hits.length) % Math.max(1, hits.length))
    else if (event.key === 'Enter' && isLate) entered.current = text
    else if (event.key === 'Enter' && hits[at]) onFound(hits[at])
    else return
    event.preventDefault()
    // Keys of the map and the page are for those who are not typing.
    event.stopPropagation()
  }
  return (
    <search ref={field} className="place-search">
      <div className="place-search-line">
        <TextField
          label={t('Ort suchen')}
          labelHidden
          role="combobox"
          aria-expanded={isOpen}
          aria-controls={listId}
          aria-autocomplete="list"
          aria-activedescendant={hits[at] ? `${listId}-${at}` : undefined}
          autoComplete="off"
          maxLength={80}
          placeholder={t('Ort, PLZ, Landkreis oder Koordinaten')}
          value={text}
          onChange={({ target }) => {
            setText(target.value)
            setAt(0)
          }}
          onKeyDown={onKeyDown}
        />
        <IconButton icon="close" size="small" label={t('Suche schließen')} onClick={onClose} />
      </div>
      <div
        id={listId}
        role="listbox"
        aria-label={t('Orte')}
        className="place-search-hits"
        hidden={!isOpen || hits.length === 0}
      >
        {hits.map((hit, nr) => (
          // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus
          <div
            key={`${hit.name} ${hit.detail}`}
            id={`${listId}-${nr}`}
            role="option"
            aria-selected={nr === at}
            className="place-search-hit"
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => onFound(hit)}
          >
            {hit.name} <span className="soft">{hit.detail}</span>
          </div>
        ))}
      </div>
      <output className="place-search-note">
        {isOpen && hits.length === 0 && noteOf(isFault, isWaiting)}
        {isFault && (
          <IconButton
            icon="refresh"
            size="small"
            label={t('Erneut versuchen')}
            onClick={() => void again()}
          />
        )}
      </output>
      {isOpen && hits.length > 0 && <p className="place-search-sources soft">{GAZETTEER_SOURCES}</p>}
    </search>
  )
}

function noteOf(isFault: boolean, isWaiting: boolean): string {
  if (isFault) return t('Das Ortsverzeichnis konnte nicht geladen werden.')
  return isWaiting
    ? t('Wird gesucht …')
    : t('Nichts gefunden. Vielleicht hilft die Postleitzahl oder ein größerer Ort in der Nähe.')
}
