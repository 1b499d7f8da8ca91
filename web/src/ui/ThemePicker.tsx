// Accent colour of the interface: the default, eight presets, or any other. Computed in this browser; nothing
// is fetched.
import { type ChangeEvent, useId, useState } from 'react'
import { usePreference } from './preferences.ts'
import { t } from './text.ts'
import { THEME } from './theme.ts'
import { chooseTheme, parseColour, PRESETS } from './theme-choice.ts'
import './appearance.css'

const SWATCHES = [THEME, ...PRESETS]

/**
 * Lets the browser paint the click first, because restyling the whole page takes longer than a click may.
 * Calls `drawn` once a frame with the new colour has been painted.
 */
function withColour(colour: string, drawn: () => void) {
  requestAnimationFrame(() =>
    setTimeout(() => {
      chooseTheme(colour)
      requestAnimationFrame(() => requestAnimationFrame(drawn))
    }),
  )
}

export function ThemePicker() {
  const stored = usePreference('theme')
  const [chosen, setChosen] = useState<string>()
  const theme = chosen ?? stored
  const [progress, setProgress] = useState<'none' | 'busy' | 'done'>('none')
  const [typed, setTyped] = useState<string>()
  const group = useId()
  const fault = typed !== undefined && parseColour(typed) === undefined
  const show = (colour: string) => {
    setProgress('busy')
    setChosen(colour)
    withColour(colour, () => {
      setProgress('done')
      setChosen((latest) => (latest === colour ? undefined : latest))
    })
  }
  const choose = (colour: string) => {
    setTyped(undefined)
    show(colour)
  }
  const type = (event: ChangeEvent<HTMLInputElement>) => {
    setTyped(event.target.value)
    const colour = parseColour(event.target.value)
    if (colour && event.target.value.trim().length >= 6) show(colour)
  }
  return (
    <fieldset className="theme-picker" aria-busy={progress === 'busy' || undefined}>
      <legend>{t('Themenfarbe')}</legend>
      <div className="swatches">
        {SWATCHES.map((colour) => (
          <label key={colour} className="swatch" title={colour}>
            <input
              type="radio"
              className="visually-hidden"
              name={group}
              checked={colour === theme}
              onChange={() => choose(colour)}
            />
            <Dot colour={colour} />
            <span className="visually-hidden">
              {colour === THEME ? t('Standardfarbe') : t('Farbe {colour}', { colour })}
            </span>
          </label>
        ))}
      </div>
      <div className="own-colour">
        <input
          type="color"
          aria-label={t('Eigene Farbe wählen')}
          value={theme}
          onChange={(event) => choose(event.target.value)}
        />
        <input
          type="text"
          className="input"
          aria-label={t('Eigene Farbe als Zahl')}
          aria-invalid={fault || undefined}
          aria-describedby={fault ? `${group}-fault` : undefined}
          spellCheck={false}
          autoComplete="off"
          value={typed ?? theme}
          onChange={type}
          onBlur={() => setTyped(fault ? typed : undefined)}
        />
      </div>
      {fault && (
        <p className="field-error" id={`${group}-fault`}>
          {t('Bitte geben Sie eine Farbe wie #409EFF an.')}
        </p>
      )}
      <output className="theme-progress">
        {progress === 'busy' && t('Die Farben werden angepasst …')}
        {progress === 'done' && t('Die Farben sind angepasst.')}
      </output>
    </fieldset>
  )
}

/** An SVG, because the content security policy forbids inline styles and the colours are not tokens. */
const Dot = ({ colour }: { colour: string }) => (
  <svg width={26} height={26} viewBox="0 0 26 26" aria-hidden="true">
    <rect width={26} height={26} rx={6} fill={colour} />
  </svg>
)
