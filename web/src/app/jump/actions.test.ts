import { describe, expect, test } from 'vitest'
import type { Hit } from '#contract/search.ts'
import type { Role } from '#domain/roles.ts'
import { actionsFor, commandOf, findActions } from './actions.ts'

const kunde = (id: number, heading: string): Hit => ({
  art: 'kunde',
  id,
  titel: heading,
  zusatz: '04103 Leipzig',
  client_id: id,
  rang: 1,
})

describe('a verb before a name', () => {
  test.each([
    ['rechnung schreiben für Müller Forst', 'Müller Forst'],
    ['Rechnung Müller', 'Müller'],
    ['neue rechnung fuer 17', '17'],
    ['write an invoice for Smith', 'Smith'],
    ['Angebot für Au', 'Au'],
    ['Zahlung eintragen RE-2026-0001', 'RE-2026-0001'],
    ['send a reminder to Smith', 'Smith'],
  ])('%s', (query, rest) => expect(commandOf(query, ['apus_admin'])?.rest).toBe(rest))
  test.each(['rechnung', 'Rechnung schreiben für', 'müller rechnung', 'rechnungen müller', '', 'für'])(
    '%j is none',
    (query) => expect(commandOf(query, ['apus_admin'])).toBeNull(),
  )
  test('is none for people who may not do it', () =>
    expect(commandOf('rechnung müller', ['ogf_admin'])).toBeNull())
})

describe('what is offered', () => {
  const hits = [1, 2, 3, 4].map((id) => kunde(id, `Forst ${id}`))
  test('with a verb: that action for the best three', () => {
    const goals = actionsFor(hits, commandOf('angebot forst', ['apus_admin']), ['apus_admin'])
    expect(goals.map(({ href }) => href)).toEqual(
      [1, 2, 3].map((id) => `/buchhaltung/angebote/angebot/new/${id}`),
    )
    expect(goals[0]!.title).toBe('Angebot schreiben für Forst 1')
  })
  test('without: both for the best customer, if this person may', () => {
    expect(actionsFor(hits, null, ['apus_admin'])).toHaveLength(2)
    expect(actionsFor(hits, null, ['ogf_admin'])).toEqual([])
    expect(actionsFor([], null, ['apus_admin'])).toEqual([])
  })
})

describe('an action without a name', () => {
  const titles = (query: string, ...roles: Role[]) =>
    findActions(query, roles).goals.map(({ title }) => title)
  test.each([
    ['Neue Rechnung', 'Rechnung schreiben'],
    ['rechnung schreiben für', 'Rechnung schreiben'],
    ['write an invoice', 'Rechnung schreiben'],
    ['Angebot erstellen', 'Angebot schreiben'],
    ['neuer Kunde', 'Kunde anlegen'],
    ['add customer', 'Kunde anlegen'],
    ['Person einladen', 'Person einladen'],
    ['invite a person', 'Person einladen'],
    ['Neuer Plan', 'Plan anlegen'],
    ['Zahlung eintragen', 'Zahlung eintragen'],
    ['record payment', 'Zahlung eintragen'],
    ['mahnung', 'Mahnungen schreiben'],
    ['send reminders', 'Mahnungen schreiben'],
  ])('%s', (query, title) => expect(titles(query, 'apus_admin')[0]).toBe(title))
  test('comes first with a verb, last with a noun alone', () => {
    expect(findActions('Rechnung schreiben', ['apus_admin']).commanded).toBe(true)
    expect(findActions('neuer plan', ['apus_admin']).commanded).toBe(true)
    for (const query of ['rechnung', 'plan', 'mahnungen', 'neu'])
      expect(findActions(query, ['apus_admin']).commanded, query).toBe(false)
  })
  test('only what the person may do, and where they do it', () => {
    const href = (query: string, role: Role) => findActions(query, [role]).goals[0]?.href
    expect(href('kunde anlegen', 'ogf_admin')).toBe('/kunden/index?neu=kunde')
    expect(href('kunde anlegen', 'apus_admin')).toBe('/member-management/client?neu=kunde')
    expect(href('kunde anlegen', 'apus_team')).toBeUndefined()
    expect(href('person einladen', 'ogf_admin')).toBe('/nutzer/index?neu=person')
    expect(href('person einladen', 'appuser_admin')).toBe('/members/index?neu=person')
    expect(href('plan anlegen', 'apus_team')).toBe('/karten/index?neu=plan')
    expect(href('plan anlegen', 'appuser')).toBeUndefined()
    for (const query of ['rechnung schreiben', 'zahlung eintragen', 'mahnungen schreiben'])
      for (const role of ['pruefer', 'ogf_admin', 'apus_team', 'kundenadmin'] as const)
        expect(href(query, role), `${role} ${query}`).toBeUndefined()
  })
  test('a payment is entered at the invoice that is named, or among the customer’s open ones', () => {
    const goals = actionsFor(
      [{ ...kunde(4, 'RE-2026-0001'), art: 'rechnung' }, kunde(9, 'Forst 9')],
      commandOf('zahlung RE-2026-0001', ['apus_admin']),
      ['apus_admin'],
    )
    expect(goals.map(({ href }) => href)).toEqual([
      '/buchhaltung/rechnungen/rechnung/4?zahlung=neu',
      '/buchhaltung/rechnungen?stand=offen,teilbezahlt,ueberfaellig&kunde=9',
    ])
  })
})
