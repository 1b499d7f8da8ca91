// One tree in a list: its name, how far and in which direction, and whether it has been transferred.
import { meterText } from '../../record/habitat/habitat-words.ts'
import { Badge } from '../../ui/Display.tsx'
import { t } from '../../ui/text.ts'
import { achtel, type BaumPunkt, type Nah } from './baum-punkt.ts'

const himmel = (at: number): string => [t('N'), t('NO'), t('O'), t('SO'), t('S'), t('SW'), t('W'), t('NW')][at] ?? ''
export const weg = (meter: number, grad: number): string =>
  `${meter < 1000 ? meterText(Math.round(meter)) : t('{n} km', { n: (meter / 1000).toFixed(1).replace('.', ',') })} ${himmel(achtel(grad))}`

function BaumMarken({ punkt }: { punkt: BaumPunkt }) {
  return (
    <>
      {punkt.stand === 'wartet' && <Badge tone="warning">{t('nicht übertragen')}</Badge>}
      {punkt.stand !== null && punkt.stand !== 'wartet' && <Badge tone="danger">{t('zu klären')}</Badge>}
      {punkt.art === 3 && <Badge>{t('verloren')}</Badge>}
      {punkt.art === 2 && <Badge tone="info">{t('Anwärter')}</Badge>}
      {!punkt.markiert && punkt.art !== 3 && <Badge>{t('nicht markiert')}</Badge>}
    </>
  )
}

/** What a row shows, whether it is a link or a button. Without `fern` nobody knows how far it is. */
export const BaumInhalt = ({ punkt, fern }: { punkt: BaumPunkt; fern: string | null }) => (
  <>
    <span
      className={`feld-punkt feld-punkt-${punkt.stand === null ? punkt.art : punkt.stand === 'wartet' ? 'wartet' : 'klaeren'}`}
      aria-hidden="true"
    />
    <span className="feld-zeile-name">{punkt.name}</span>
    <span className="feld-zeile-marken">
      <BaumMarken punkt={punkt} />
    </span>
    {fern !== null && <span className="feld-zeile-weg nums">{fern}</span>}
  </>
)

export const NaheZeile = ({ nah: { punkt, meter, grad }, onWahl }: { nah: Nah; onWahl: () => void }) => (
  <li>
    <button type="button" className="feld-zeile" onClick={onWahl}>
      <BaumInhalt punkt={punkt} fern={weg(meter, grad)} />
    </button>
  </li>
)
