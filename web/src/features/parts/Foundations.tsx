// Colours, type, icons and spaces: what the other parts are made of. docs/design.md says what each is for.
import { Icon, ICON_NAMES } from '../../ui/Icon.tsx'
import { t } from '../../ui/text.ts'

const COLOURS = [
  [
    '--ground',
    '--surface',
    '--surface-sunken',
    '--surface-hover',
    '--line',
    '--line-control',
    '--line-strong',
  ],
  ['--text', '--text-soft', '--text-disabled', '--accent', '--accent-shade', '--accent-text', '--focus'],
  ['--accent-10', '--accent-30', '--accent-50', '--accent-70', '--accent-80', '--accent-90', '--skeleton'],
  ['--success', '--success-ground', '--success-line', '--warning', '--warning-ground', '--warning-line'],
  [
    '--danger',
    '--danger-ground',
    '--danger-line',
    '--info',
    '--info-ground',
    '--info-line',
    '--trial-ground',
  ],
  ['--map-water', '--map-land', '--map-home', '--map-border', '--map-district', '--map-river', '--map-name'],
] as const
const SIZES = ['--size-xl', '--size-l', '--size-m', '--size-s', '--size-xs'] as const
const GAPS = ['--gap-1', '--gap-2', '--gap-3', '--gap-4', '--gap-5', '--gap-6'] as const

export const Foundations = () => (
  <>
    <div className="parts-colours">
      {COLOURS.flat().map((name) => (
        <span key={name}>
          <span className="parts-swatch" style={{ background: `var(${name})` }} />
          <code>{name.slice(2)}</code>
        </span>
      ))}
    </div>
    <div className="parts-type">
      <p className="parts-h1">{t('Seitentitel')}</p>
      <h2>{t('Abschnitt oder Karte')}</h2>
      <h3>{t('Gruppe in einem Abschnitt')}</h3>
      {SIZES.map((size) => (
        <p key={size} style={{ fontSize: `var(${size})` }}>
          <code>{size.slice(2)}</code> Zwölf Boxkämpfer jagen Viktor quer über den Sylter Deich. 0123456789 €
        </p>
      ))}
    </div>
    <div className="parts-row">
      {GAPS.map((gap) => (
        <span key={gap} className="parts-gap">
          <span style={{ width: `var(${gap})` }} />
          <code>{gap.slice(2)}</code>
        </span>
      ))}
    </div>
    <div className="parts-icons">
      {ICON_NAMES.map((name) => (
        <span key={name} title={name}>
          <Icon name={name} size={20} />
        </span>
      ))}
    </div>
  </>
)
