// What differs between invoices and offers in words, addresses and procedures. Pages, lists and forms are
// shared.
import { rpc } from '../../data/rpc.ts'
import { t } from '../../ui/text.ts'
import type { BelegKind } from './beleg.data.ts'

type Id = number | string
export interface Issued {
  readonly nummer: string
  readonly datum: string
}
/** What the user looked at before issuing it. */
export interface Seen {
  readonly version: number
  /** Of the document (a_get_beleg); undefined: none was shown. */
  readonly stand: string | undefined
  /** The user has confirmed billing more than was offered. */
  readonly extra: boolean
}
const standOf = ({ stand }: Seen) => (stand === undefined ? {} : { stand })

export interface DocKind {
  readonly docKind: BelegKind
  /** Addresses of the list, of one document, of its draft, and of a new one for a customer. */
  readonly list: string
  readonly record: (id: Id) => string
  readonly draft: (id: Id) => string
  readonly fresh: (client_id: Id) => string
  readonly words: () => {
    readonly one: string
    readonly write: string
    readonly fresh: string
    readonly date: string
    /** Heading of what applies to all of it. */
    readonly head: string
    readonly missing: string
    readonly toList: string
    readonly toRecord: string
    readonly issued: string
    readonly issuedHint: string
    readonly issue: string
    readonly sums: string
  }
  readonly add: (what: {
    client_id: Id
    datum: string
    le_date: string | null
    ust_satz: string | null
  }) => Promise<number>
  readonly remove: (id: Id, version: number) => Promise<null>
  readonly setClient: (id: Id, client_id: Id) => Promise<number>
  readonly issue: (id: Id, seen: Seen) => Promise<Issued>
}

const paths = (list: string, noun: string): Pick<DocKind, 'list' | 'record' | 'draft' | 'fresh'> => ({
  list,
  record: (id) => `${list}/${noun}/${id}`,
  draft: (id) => `${list}/${noun}/update/${id}`,
  fresh: (client_id) => `${list}/${noun}/new/${client_id}`,
})

export const RECHNUNG_KIND: DocKind = {
  docKind: 'rechnung',
  ...paths('/buchhaltung/rechnungen', 'rechnung'),
  words: () => ({
    one: t('Rechnung'),
    write: t('Rechnung schreiben'),
    fresh: t('Neue Rechnung'),
    date: t('Rechnungsdatum'),
    head: t('Rechnungsdaten'),
    missing: t('Diese Rechnung gibt es nicht'),
    toList: t('Zu den Rechnungen'),
    toRecord: t('Zur Rechnung'),
    issued: t('Diese Rechnung ist ausgestellt'),
    issuedHint: t(
      'Ausgestellte Rechnungen lassen sich nicht ändern. Stornieren Sie die Rechnung, und stellen Sie eine Kopie aus.',
    ),
    issue: t('Rechnung ausstellen?'),
    sums: t('Summen der gefundenen Rechnungen'),
  }),
  add: ({ client_id, datum, le_date, ust_satz }) =>
    rpc('a_add_invoice', { client_id, rn_datum: datum, le_date, ust_satz }),
  remove: (invoice_id, version) => rpc('a_delete_invoice', { invoice_id, version }),
  setClient: (rechnung_id, client_id) => rpc('a_set_client_for_invoice', { client_id, rechnung_id }),
  issue: async (invoice_id, seen) => {
    const { version, extra } = seen
    const [issued] = await rpc('a_issue_invoice', { invoice_id, version, mehr: extra, ...standOf(seen) })
    return { nummer: issued?.nummer ?? '', datum: issued?.rn_datum ?? '' }
  },
}

export const ANGEBOT_KIND: DocKind = {
  docKind: 'angebot',
  ...paths('/buchhaltung/angebote', 'angebot'),
  words: () => ({
    one: t('Angebot'),
    write: t('Angebot schreiben'),
    fresh: t('Neues Angebot'),
    date: t('Angebotsdatum'),
    head: t('Angebotsdaten'),
    missing: t('Dieses Angebot gibt es nicht'),
    toList: t('Zu den Angeboten'),
    toRecord: t('Zum Angebot'),
    issued: t('Dieses Angebot ist ausgestellt'),
    issuedHint: t('Ausgestellte Angebote lassen sich nicht ändern. Legen Sie dafür eine neue Fassung an.'),
    issue: t('Angebot ausstellen?'),
    sums: t('Summen der gefundenen Angebote'),
  }),
  add: ({ client_id, datum, ust_satz }) => rpc('a_add_offer', { client_id, an_datum: datum, ust_satz }),
  remove: (offer_id, version) => rpc('a_delete_offer', { offer_id, version }),
  setClient: (angebot_id, client_id) => rpc('a_set_client_for_offer', { client_id, angebot_id }),
  issue: async (offer_id, seen) => {
    const [issued] = await rpc('a_issue_offer', { offer_id, version: seen.version, ...standOf(seen) })
    return { nummer: issued?.nummer ?? '', datum: issued?.an_datum ?? '' }
  },
}
