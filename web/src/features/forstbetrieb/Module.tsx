// The modules switched on for a headquarters, as badges.
import type { HqRow } from '#contract/forstbetrieb.ts'
import { Badge } from '../../ui/Display.tsx'
import { t } from '../../ui/text.ts'
import './forstbetrieb.css'

type Switches = Pick<HqRow, 'fe_enabled' | 'basis_fe_enabled' | 'kawm_enabled'>
export const moduleNames = ({ fe_enabled, basis_fe_enabled, kawm_enabled }: Switches): string[] => [
  ...(fe_enabled ? [t('FE')] : []),
  ...(basis_fe_enabled ? [t('Basis-FE')] : []),
  ...(kawm_enabled ? [t('KAWM')] : []),
]

export function ModuleBadges({ row }: { row: Switches }) {
  const names = moduleNames(row)
  if (names.length === 0) return <span className="soft">{t('keine')}</span>
  return (
    <span className="hq-badges">
      {names.map((name) => (
        <Badge key={name} tone="info">
          {name}
        </Badge>
      ))}
    </span>
  )
}
