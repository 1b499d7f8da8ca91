import { describe, expect, test } from 'vitest'
import type { Hit } from '#contract/search.ts'
import { actionsFor, commandOf } from './actions.ts'

const kunde = (id: number, titel: string): Hit => ({
  art: 'kunde',
  id,
  titel,
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
