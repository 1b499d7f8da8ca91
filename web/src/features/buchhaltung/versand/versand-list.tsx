// Column and filter of the lists of documents: whether they left the house.
import type { OneFilter } from '../../../list/filter-kinds.ts'
import type { ListColumn } from '../../../list/list.ts'
import { Badge } from '../../../ui/Display.tsx'
import { t } from '../../../ui/text.ts'
import { VERSAND_STAENDE, VERSAND_TONES, type VersandStand, versandStandText } from './versand-words.ts'

interface Zeile {
  /** Null: a draft. */
  readonly versand: VersandStand | null
}
export const versandSpalte = <Row extends Zeile>(): ListColumn<Row> => ({
  key: 'versand',
  title: t('Versand'),
  optional: true,
  cell: ({ versand }) =>
    versand === null ? <span className="soft">–</span> : <Badge tone={VERSAND_TONES[versand]}>{versandStandText(versand)}</Badge>,
  exported: ({ versand }) => (versand === null ? null : versandStandText(versand)),
})
export const VERSAND_FILTER: OneFilter<Zeile> = {
  kind: 'one',
  key: 'versand',
  label: () => t('Versand'),
  options: () => VERSAND_STAENDE.map((value) => ({ value, label: versandStandText(value) })),
}
