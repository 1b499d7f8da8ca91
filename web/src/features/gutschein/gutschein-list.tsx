// The list of vouchers, declared for the list kit.
import { stateOf } from '#domain/gutschein.ts'
import { type Filter, gte, isNull, lt, notNull } from '../../data/addresses.ts'
import type { ListColumn } from '../../list/list.ts'
import type { TableList } from '../../list/table-source.ts'
import { Badge, DateText } from '../../ui/Display.tsx'
import { day, moment } from '../../ui/export/cells.ts'
import { t } from '../../ui/text.ts'
import { today } from '../../ui/today.ts'
import { GUTSCHEIN_COLUMNS, type GutscheinRow, withForstbetrieb } from './gutschein.data.ts'
import { gutscheinName, monthsText, percentText, STATE_TONES, stateText } from './gutschein-words.ts'
import { RowActions } from './RowActions.tsx'

const state = (row: GutscheinRow) => stateOf(row, today())

const columns = (): ListColumn<GutscheinRow>[] => [
  {
    key: 'nr',
    title: t('Gutschein'),
    sortable: true,
    cell: ({ id }) => gutscheinName(id),
    exported: ({ id }) => id,
  },
  {
    key: 'zustand',
    title: t('Status'),
    cell: (row) => <Badge tone={STATE_TONES[state(row)]}>{stateText(state(row))}</Badge>,
    exported: (row) => stateText(state(row)),
  },
  {
    key: 'abo',
    title: t('Rabatt Abo'),
    sortable: true,
    align: 'end',
    cell: ({ rabatt_abo }) => <span className="nums">{percentText(rabatt_abo)}</span>,
    exported: ({ rabatt_abo }) => rabatt_abo,
  },
  {
    key: 'kawm',
    title: t('Rabatt KAWM'),
    sortable: true,
    align: 'end',
    cell: ({ rabatt_kawm }) => <span className="nums">{percentText(rabatt_kawm)}</span>,
    exported: ({ rabatt_kawm }) => rabatt_kawm,
  },
  {
    key: 'laufzeit',
    title: t('Laufzeit'),
    sortable: true,
    align: 'end',
    cell: ({ laufzeit }) => <span className="nums">{monthsText(laufzeit)}</span>,
    exported: ({ laufzeit }) => laufzeit,
  },
  {
    key: 'bis',
    title: t('Einlösbar bis'),
    sortable: true,
    cell: ({ expire_date }) => <DateText value={expire_date} />,
    exported: ({ expire_date }) => day(expire_date),
  },
  {
    key: 'eingeloest',
    title: t('Eingelöst'),
    sortable: true,
    cell: (row) =>
      row.eingeloest_am === null ? (
        <DateText value={null} />
      ) : (
        <>
          <DateText value={row.eingeloest_am} time />
          {row.eingeloest_hqid !== null && (
            <div className="soft">
              <a href={`/forstbetriebe/${row.eingeloest_hqid}`}>
                {row.forstbetrieb ?? t('Forstbetrieb {id}', { id: row.eingeloest_hqid })}
              </a>
            </div>
          )}
        </>
      ),
    exported: ({ eingeloest_am }) => moment(eingeloest_am),
    alsoExported: [
      { title: t('Eingelöst von'), exported: ({ eingeloest_von }) => eingeloest_von },
      { title: t('Forstbetrieb'), exported: ({ forstbetrieb }) => forstbetrieb },
    ],
  },
  {
    key: 'angelegt',
    title: t('Angelegt'),
    sortable: true,
    optional: true,
    cell: ({ angelegt_am, angelegt_von }) => (
      <>
        <DateText value={angelegt_am} />
        {angelegt_von && <div className="soft">{angelegt_von}</div>}
      </>
    ),
    exported: ({ angelegt_am }) => moment(angelegt_am),
  },
  { key: 'tun', title: t('Aktionen'), fixed: true, align: 'end', cell: (row) => <RowActions row={row} /> },
]

/** A state is derived from three columns and the current day. */
function stateFilters([value]: readonly string[]): Filter[] {
  const open = [isNull('eingeloest_am'), gte('expire_date', today())]
  switch (value) {
    case 'offen':
      return [...open, notNull('code_ausgegeben_am')]
    case 'ohne_code':
      return [...open, isNull('code_ausgegeben_am')]
    case 'eingeloest':
      return [notNull('eingeloest_am')]
    case 'abgelaufen':
      return [isNull('eingeloest_am'), lt('expire_date', today())]
    default:
      return []
  }
}

export const GUTSCHEINE: TableList<GutscheinRow> = {
  name: 'gutscheine',
  queryKey: ['gutschein', 'list'],
  words: () => ({
    title: t('Gutscheine'),
    one: t('1 Gutschein'),
    many: (n) => t('{n} Gutscheine', { n }),
    none: t('Keine Gutscheine gefunden'),
    empty: t('Noch keine Gutscheine'),
    emptyHint: t(
      'Ein Gutschein senkt den Preis eines Abos. Legen Sie einen an und geben Sie seinen Code weiter.',
    ),
  }),
  icon: 'card',
  source: {
    kind: 'table',
    table: 'gutschein',
    key: 'id',
    select: GUTSCHEIN_COLUMNS,
    search: false,
    complete: withForstbetrieb,
  },
  lesser: ['laufzeit', 'eingeloest', 'kawm'],
  rowKey: ({ id }) => id,
  rowName: ({ id }) => gutscheinName(id),
  rowTone: (row) => (state(row) === 'abgelaufen' ? 'soft' : undefined),
  columns,
  sorts: {
    nr: { column: 'id', downFirst: true },
    abo: { column: 'rabatt_abo', downFirst: true },
    kawm: { column: 'rabatt_kawm', downFirst: true },
    laufzeit: {},
    bis: { column: 'expire_date' },
    eingeloest: { column: 'eingeloest_am', nullable: true, downFirst: true },
    angelegt: { column: 'angelegt_am', downFirst: true },
  },
  sort: '-nr',
  filters: [
    {
      kind: 'one',
      key: 'zustand',
      label: () => t('Status'),
      options: () =>
        (['offen', 'ohne_code', 'eingeloest', 'abgelaufen'] as const).map((value) => ({
          value,
          label: stateText(value),
        })),
      filters: stateFilters,
    },
    {
      kind: 'range',
      key: 'abo',
      label: () => t('Rabatt Abo'),
      column: 'rabatt_abo',
      unit: '%',
      min: 0,
      max: 100,
    },
    {
      kind: 'range',
      key: 'kawm',
      label: () => t('Rabatt KAWM'),
      column: 'rabatt_kawm',
      unit: '%',
      min: 0,
      max: 100,
    },
    { kind: 'days', key: 'bis', label: () => t('Einlösbar bis'), column: 'expire_date' },
  ],
}
