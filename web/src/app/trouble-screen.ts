// What is seen while the start is held up. Without the screens' own code, which may be what is missing.
import { t } from '../ui/text.ts'
import { isPreparedForField } from './feld-device.ts'
import { currentTrouble, subscribeTrouble, tryAgain, type Trouble } from './keep-trying.ts'
import { subscribeLanguage } from './language.ts'
import { FELD } from './mobile.ts'
import './shell/splash.css'

let end: (() => void) | undefined

/** Shows in `element` what holds up the start, until `endTrouble`. */
export function followTrouble(element: HTMLElement): void {
  const logo = element.querySelector('svg')
  const draw = () => element.replaceChildren(screenOf(currentTrouble(), logo))
  const redraw = () => currentTrouble() !== null && draw()
  const ends = [subscribeTrouble(draw), subscribeLanguage(redraw)]
  end = () => ends.forEach((one) => one())
}
/** From here on the element belongs to the screens. */
export function endTrouble(): void {
  end?.()
  end = undefined
}

function made<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Readonly<Record<string, string>>,
  ...content: (Node | string | null)[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
  element.append(...content.filter((one) => one !== null))
  return element
}

function screenOf(trouble: Trouble | null, logo: Node | null): HTMLElement {
  const mark = logo?.cloneNode(true) ?? null
  if (trouble?.state === 'stopped') return stopped(trouble, mark)
  const text =
    trouble === null ? t('Forstkontor wird geladen …') : t('Die Verbindung zum Server ist gestört, es wird noch einmal versucht …')
  return made(
    'main',
    { class: 'splash', 'aria-busy': 'true' },
    mark,
    made('output', { 'aria-live': 'polite' }, text),
    made('span', { class: 'splash-bar', 'aria-hidden': 'true' }),
  )
}

function stopped({ kind, detail }: Trouble, mark: Node | null): HTMLElement {
  const away = kind === 'unreachable'
  const again = made('button', { type: 'button', class: 'button button-primary' }, t('Erneut versuchen'))
  again.addEventListener('click', tryAgain)
  // Nothing else on this page could have the focus; a press of Enter is enough.
  queueMicrotask(() => again.focus())
  return made(
    'main',
    { class: 'splash' },
    mark,
    made('h1', {}, away ? t('Keine Verbindung') : t('Forstkontor ist gerade gestört')),
    made(
      'div',
      { class: 'splash-text', role: 'alert' },
      made(
        'p',
        {},
        away
          ? t('Forstkontor ist gerade nicht erreichbar. Bitte prüfen Sie Ihre Internetverbindung.')
          : t('Der Server hat mehrmals nicht richtig geantwortet. Das liegt nicht an Ihnen; meist geht es nach kurzer Zeit wieder.'),
      ),
      made('p', {}, t('Sobald es wieder geht, wird diese Seite von selbst geladen. Ihre Anmeldung bleibt bestehen.')),
      made('p', { class: 'soft' }, t('Für den Support: {code}', { code: detail })),
    ),
    again,
    isPreparedForField() ? field() : null,
  )
}

function field(): HTMLElement {
  const open = made('button', { type: 'button', class: 'button button-secondary' }, t('Feldmodus öffnen'))
  open.addEventListener('click', () => location.assign(FELD))
  return made('div', { class: 'splash-text' }, made('p', {}, t('Ohne Verbindung können Sie im Feldmodus arbeiten.')), open)
}
