// Where the rows of a customer's summary lead. It is shown on four pages: the forest half's, the drainage half's,
// and those of the customer's own admins of both halves; what a person may not open is undefined.
import type { NoteKind } from '#contract/note.ts'
import { useHasRole } from '../../data/session.ts'

export type KundePageKind = 'forst' | 'draenage' | 'kunde' | 'konto'
export const isOwnPage = (kind: KundePageKind): boolean => kind === 'kunde' || kind === 'konto'

export interface KundePlaces {
  /** A tab of the customer's page. */
  readonly tab: (name: string) => string
  readonly people: string
  readonly history: string | undefined
  readonly invoice: (id: number) => string
  readonly offer: (id: number) => string
  /** With a query such as `stand=offen`. */
  readonly invoices: (query?: string) => string
  readonly offers: (query?: string) => string
  readonly reminders: string
  /** The customer's account; undefined for people who do not read the books. */
  readonly account: string | undefined
  readonly newInvoice: string
  readonly newOffer: string
  readonly plans: string
  readonly plan: (id: number) => string
  readonly survey: string
  readonly surveyImport: string
  readonly holdings: string | undefined
  readonly holding: (id: number) => string | undefined
  readonly person: (id: number) => string | undefined
  readonly note: (art: NoteKind, id: number) => string | undefined
}

const PAGES: Record<KundePageKind, (id: number) => string> = {
  forst: (id) => `/kunden/${id}`,
  draenage: (id) => `/member-management/client/${id}`,
  kunde: (id) => `/kunde/index?kunde=${id}`,
  konto: (id) => `/account/index?kunde=${id}`,
}

/** What the customer's own list has of each. */
const KINDS = { rechnungen: 'rechnung,abschlag,schluss,storno,korrektur', angebote: 'angebot' } as const

/** The same filter in the list of the customer's documents, which is sorted by its own columns and has no drafts. */
export function asDocuments(id: number, list: keyof typeof KINDS, query = ''): string {
  const asked = new URLSearchParams(query)
  const stand = asked
    .get('stand')
    ?.split(',')
    .filter((one) => one !== 'entwurf')
    .join(',')
  const time = asked.get('zeit')
  return [`kunde=${id}`, `art=${KINDS[list]}`, stand && `stand=${stand}`, time && `zeit=${time}`]
    .filter(Boolean)
    .join('&')
}

export function useKundePlaces(kind: KundePageKind, id: number): KundePlaces {
  const forest = useHasRole('ogf_admin')
  const drainage = useHasRole('apus_admin')
  const books = drainage && !isOwnPage(kind)
  const page = PAGES[kind](id)
  const tab = (name: string) => `${page}${isOwnPage(kind) ? '&' : '?'}ansicht=${name}`
  const paper = (noun: 'rechnung' | 'angebot', list: string) => (nr: number) =>
    books ? `/buchhaltung/${list}/${noun}/${nr}` : `/dokumente/${noun}/${nr}`
  const papers = (list: keyof typeof KINDS) => (query?: string) =>
    books
      ? `/buchhaltung/${list}?kunde=${id}${query === undefined ? '' : `&${query}`}`
      : `/dokumente/index?${asDocuments(id, list, query)}`
  const holding = (nr: number) =>
    kind === 'kunde'
      ? `/kunde/${id}/forstbetrieb/${nr}`
      : forest
        ? `/kunden/${id}/forstbetrieb/${nr}`
        : undefined
  const [invoice, offer] = [paper('rechnung', 'rechnungen'), paper('angebot', 'angebote')]
  const plan = (nr: number) => `/karten/${nr}`
  return {
    tab,
    people:
      kind === 'konto' ? `/members/index?kunde=${id}` : tab(kind === 'draenage' ? 'nutzer' : 'personen'),
    history: kind === 'kunde' ? undefined : tab('verlauf'),
    invoice,
    offer,
    invoices: papers('rechnungen'),
    offers: papers('angebote'),
    account: books ? `/buchhaltung/offene-posten/konto/${id}` : undefined,
    reminders: `/buchhaltung/mahnungen?kunde=${id}`,
    newInvoice: `/buchhaltung/rechnungen/rechnung/new/${id}`,
    newOffer: `/buchhaltung/angebote/angebot/new/${id}`,
    plans: kind === 'draenage' ? tab('karten') : `/karten/index?kunde=${id}`,
    plan,
    survey: `/kataster/index?kunde=${id}`,
    surveyImport: `/kataster/import?kunde=${id}`,
    holdings:
      kind === 'forst' || kind === 'kunde'
        ? tab('forstbetriebe')
        : forest
          ? `/kunden/${id}?ansicht=forstbetriebe`
          : undefined,
    holding,
    person: (nr) =>
      isOwnPage(kind)
        ? undefined
        : forest && kind === 'forst'
          ? `/nutzer/${nr}`
          : drainage
            ? `/member-management/users/${nr}`
            : undefined,
    note: (art, nr) =>
      ({ kunde: () => tab('notizen'), hq: holding, rechnung: invoice, angebot: offer, karte: plan })[art](nr),
  }
}
