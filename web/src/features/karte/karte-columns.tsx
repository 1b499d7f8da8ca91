// Columns of the lists of plans: for staff, for a customer's own ones, and for those of one customer.
import type { KarteListRow, KundeKarteRow } from '#contract/karte.ts'
import { epsgName } from '#domain/epsg.ts'
import { Clip } from '../../list/Clip.tsx'
import type { ListColumn } from '../../list/list.ts'
import { changedColumn, numberColumn } from '../../list/stamp-columns.tsx'
import { Badge } from '../../ui/Display.tsx'
import { t } from '../../ui/text.ts'
import {
  answerForCustomer,
  answerName,
  answerTone,
  dinName,
  fieldLabel,
  georefName,
  isWaiting,
  scaleText,
  statusForCustomer,
  statusName,
  statusTone,
  todoText,
} from './karte-words.ts'
import { Preview } from './Preview.tsx'

export const SELECT = [
  'id',
  'map_name',
  'client_id',
  'kunde',
  'typ',
  'jahr',
  'scale',
  'din',
  'epsg',
  'georef_typ',
  'status',
  'client_status',
  'show_client',
  'ausf_unternehmen',
  'auftr_nr',
  'reg_nr',
  'kreis',
  'gemarkung',
  'gemeinde',
  'punkte',
  'scan',
  'ergebnis',
  'geaendert_am',
] as const satisfies readonly (keyof KarteListRow)[]
export type Row = Pick<KarteListRow, (typeof SELECT)[number]>
/** The columns common to every list of plans. */
export type Plain = Pick<KundeKarteRow, keyof KundeKarteRow & keyof Row>

/** Name and picture, and how far the work is. */
const stateColumns = <R extends Plain>() =>
  ({
    name: {
      key: 'name',
      title: fieldLabel('map_name'),
      sortable: true,
      width: '26%',
      // The first cell is the row's link, so picture and name are inside it together.
      // A mosaic has no scan.
      cell: ({ id, map_name, scan, ergebnis }: R) => (
        <span className="karte-zelle">
          <Preview karte={id} name={map_name} scan={scan ?? ergebnis} />
          <span className="karte-zelle-name" title={map_name}>
            {map_name}
          </span>
        </span>
      ),
      exported: ({ map_name }: R) => map_name,
    },
    status: {
      key: 'status',
      title: fieldLabel('status'),
      cell: ({ status }: R) => <Badge tone={statusTone(status)}>{statusName(status)}</Badge>,
      exported: ({ status }: R) => statusName(status),
    },
    antwort: {
      key: 'antwort',
      title: t('Kundensicht'),
      cell: ({ show_client, client_status }: R) =>
        show_client ? (
          <Badge tone={answerTone(client_status)}>{answerName(client_status)}</Badge>
        ) : (
          <span className="soft">{t('nicht sichtbar')}</span>
        ),
      exported: ({ show_client, client_status }: R) =>
        show_client ? answerName(client_status) : t('nicht sichtbar'),
    },
    georef: {
      key: 'georef',
      title: t('Georeferenzierung'),
      optional: true,
      cell: ({ georef_typ, punkte }: R) =>
        georef_typ === null ? (
          <span className="soft">–</span>
        ) : (
          <span className="nums">
            {punkte === 1
              ? t('{verfahren}, 1 Punkt', { verfahren: georefName(georef_typ) })
              : t('{verfahren}, {n} Punkte', { verfahren: georefName(georef_typ), n: punkte })}
          </span>
        ),
      exported: ({ georef_typ }: R) => (georef_typ === null ? null : georefName(georef_typ)),
      alsoExported: [{ title: t('Passpunkte'), exported: ({ punkte }: R) => punkte }],
    },
  }) as const satisfies Record<string, ListColumn<R>>

/** What the register says about the sheet. */
function registerColumns<R extends Plain>() {
  const text = (
    key: 'kreis' | 'gemeinde' | 'gemarkung' | 'auftr_nr' | 'reg_nr' | 'typ' | 'ausf_unternehmen',
    more: Partial<ListColumn<R>> = {},
  ) => ({
    key,
    title: fieldLabel(key),
    sortable: true,
    cell: (row: R) => <Clip text={row[key]} />,
    exported: (row: R) => row[key],
    ...more,
  })
  return {
    epsg: {
      key: 'epsg',
      title: t('EPSG'),
      sortable: true,
      optional: true,
      width: '76px',
      cell: ({ epsg }: R) => (
        <span className="nums" title={epsgName(epsg)}>
          {epsg}
        </span>
      ),
      exported: ({ epsg }: R) => epsgName(epsg),
    },
    jahr: {
      key: 'jahr',
      title: fieldLabel('jahr'),
      sortable: true,
      width: '72px',
      cell: ({ jahr }: R) =>
        jahr === null ? <span className="soft">–</span> : <span className="nums">{jahr}</span>,
      exported: ({ jahr }: R) => jahr,
    },
    scale: {
      key: 'scale',
      title: fieldLabel('scale'),
      sortable: true,
      optional: true,
      width: '96px',
      cell: ({ scale }: R) =>
        scale === null ? <span className="soft">–</span> : <span className="nums">{scaleText(scale)}</span>,
      exported: ({ scale }: R) => scale,
      alsoExported: [
        { title: fieldLabel('din'), exported: ({ din }: R) => (din === null ? null : dinName(din)) },
      ],
    },
    kreis: text('kreis'),
    gemeinde: text('gemeinde', { optional: true }),
    gemarkung: text('gemarkung'),
    auftr_nr: text('auftr_nr'),
    reg_nr: text('reg_nr', { optional: true }),
    typ: text('typ', { optional: true }),
    unternehmen: text('ausf_unternehmen', { optional: true }),
  } as const satisfies Record<string, ListColumn<R>>
}

const plainColumns = <R extends Plain>() =>
  ({
    ...stateColumns<R>(),
    ...registerColumns<R>(),
    geaendert: changedColumn<R>(),
    nr: numberColumn<R>(({ id }) => id),
  }) as const

export const staffColumns = (): readonly ListColumn<Row>[] => {
  const c = plainColumns<Row>()
  const kunde: ListColumn<Row> = {
    key: 'kunde',
    title: t('Kunde'),
    sortable: true,
    cell: (row) => <Clip text={row.kunde} />,
    exported: (row) => row.kunde,
  }
  return [
    c.name,
    kunde,
    c.status,
    c.antwort,
    c.kreis,
    c.gemarkung,
    { ...c.auftr_nr, optional: true },
    c.jahr,
    c.georef,
    c.epsg,
    c.reg_nr,
    c.gemeinde,
    c.typ,
    c.scale,
    c.unternehmen,
    c.geaendert,
    c.nr,
  ]
}
export const kundeColumns = (): readonly ListColumn<KundeKarteRow>[] => {
  const c = plainColumns<KundeKarteRow>()
  return [
    c.name,
    c.status,
    c.antwort,
    c.kreis,
    c.gemarkung,
    c.auftr_nr,
    c.jahr,
    c.georef,
    c.epsg,
    c.reg_nr,
    c.gemeinde,
    c.typ,
    c.scale,
    c.unternehmen,
    c.geaendert,
    c.nr,
  ]
}
export const ownColumns = (mayAnswer: boolean) => (): readonly ListColumn<Row>[] => {
  const c = plainColumns<Row>()
  return [
    c.name,
    {
      key: 'status',
      title: t('Bearbeitungsstatus'),
      cell: ({ status }) => <Badge tone={statusTone(status)}>{statusForCustomer(status)}</Badge>,
      exported: ({ status }) => statusForCustomer(status),
    },
    {
      key: 'tun',
      title: t('Was zu tun ist'),
      width: '24%',
      cell: ({ client_status }) =>
        isWaiting(client_status) && mayAnswer ? (
          <strong>{todoText(client_status, mayAnswer)}</strong>
        ) : (
          <span className="soft">{todoText(client_status, mayAnswer)}</span>
        ),
      exported: ({ client_status }) => todoText(client_status, mayAnswer),
      alsoExported: [
        { title: t('Ihre Antwort'), exported: ({ client_status }) => answerForCustomer(client_status) },
      ],
    },
    c.gemarkung,
    c.jahr,
    { ...c.typ, optional: false },
    { ...c.kreis, optional: true },
    c.gemeinde,
    { ...c.auftr_nr, optional: true },
    c.reg_nr,
    c.scale,
    c.unternehmen,
    c.geaendert,
    c.nr,
  ]
}
