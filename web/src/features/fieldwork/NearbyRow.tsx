// One tree in a list: name, distance, direction, and whether it has been transferred.
import { meterText } from '../../record/habitat/habitat-words.ts'
import { Badge } from '../../ui/Display.tsx'
import { t } from '../../ui/text.ts'
import { octant, type TreePoint, type NearbyTree } from './tree-point.ts'

export const compassText = (at: number): string =>
  [t('N'), t('NO'), t('O'), t('SO'), t('S'), t('SW'), t('W'), t('NW')][at] ?? ''
const lengthText = (meter: number): string =>
  meter < 1000
    ? meterText(Math.round(meter))
    : t('{n} km', { n: (meter / 1000).toFixed(1).replace('.', ',') })
export const wayText = (meter: number, grad: number): string =>
  `${lengthText(meter)} ${compassText(octant(grad))}`

function TreeBadges({ point }: { point: TreePoint }) {
  return (
    <>
      {point.stand === 'wartet' && <Badge tone="warning">{t('nicht übertragen')}</Badge>}
      {point.stand !== null && point.stand !== 'wartet' && <Badge tone="danger">{t('zu klären')}</Badge>}
      {point.art === 3 && <Badge>{t('verloren')}</Badge>}
      {point.art === 2 && <Badge tone="info">{t('Anwärter')}</Badge>}
      {!point.markiert && point.art !== 3 && <Badge>{t('nicht markiert')}</Badge>}
    </>
  )
}

const signOf = ({ stand, art }: TreePoint): string | number =>
  stand === null ? art : stand === 'wartet' ? 'wartet' : 'klaeren'

/** Contents of a row, whether link or button. `distant` is null if the distance is unknown. */
export const TreeContent = ({ point, distant }: { point: TreePoint; distant: string | null }) => (
  <>
    <span className={`feld-punkt feld-punkt-${signOf(point)}`} aria-hidden="true" />
    <span className="feld-zeile-name">{point.name}</span>
    <span className="feld-zeile-marken">
      <TreeBadges point={point} />
    </span>
    {distant !== null && <span className="feld-zeile-weg nums">{distant}</span>}
  </>
)

export const NearbyRow = ({
  closeBy: { point, meter, grad },
  onChoose,
}: {
  closeBy: NearbyTree
  onChoose: () => void
}) => (
  <li>
    <button type="button" className="feld-zeile" onClick={onChoose}>
      <TreeContent point={point} distant={wayText(meter, grad)} />
    </button>
  </li>
)
