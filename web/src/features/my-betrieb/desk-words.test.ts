import { describe, expect, test } from 'vitest'
import type { Desk } from '#contract/desk.ts'
import { bookTasks, deskFigures, deskTasks, kartenTasks } from './desk-words.ts'

const desk = (more: Partial<Desk>): Desk => ({
  heute: '2026-11-29',
  wartet: [],
  zahlen: [],
  baeume: [],
  ...more,
})
const money = (count: number) => ({ anzahl: count, betrag: '119.00' })
type Books = Parameters<typeof bookTasks>[0]
const books = (count: number) =>
  bookTasks({
    rechnungen: {
      offen: money(count),
      ueberfaellig: { ...money(count), seit: '2026-10-01' },
      zurueck: money(count),
      entwuerfe: money(count),
    },
    angebote: [
      {
        stand: 'versendet',
        anzahl: count,
        netto: '100.00',
        brutto: '119.00',
        rest: '0.00',
        gewichtet: '0.00',
      },
    ],
  } as Partial<Books> as Books)

describe('a figure leads to the page that this person may open', () => {
  const figures = desk({ zahlen: [{ art: 'kunden', wert: 3, neu: null, zuvor: null }] })
  test.each([
    ['/kunden/index', '/kunden/index'],
    ['/member-management/client', '/member-management/client'],
    ['/karten/index', undefined],
  ])('with %s', (permitted, href) =>
    expect(deskFigures(figures, (path) => path === permitted)[0]?.href).toBe(href),
  )
})

test('one and many are said differently', () => {
  const states = (count: number) =>
    kartenTasks(
      (['neu', 'gescannt', 'georeferenziert', 'digitalisiert'] as const).map((status) => ({
        status,
        anzahl: count,
        rueckfragen: 0,
        wartend: 0,
      })),
    )
  const waiting = (count: number) =>
    deskTasks(
      desk({
        wartet: (['serien', 'eingang', 'mahnungen', 'bank'] as const).map((art) => ({
          art,
          anzahl: count,
          betrag: null,
        })),
      }),
      true,
    )
  const names = (count: number) =>
    [...states(count), ...books(count), ...waiting(count)].map(({ name }) => name)
  expect(names(1)).toHaveLength(13)
  for (const [at, name] of names(1).entries()) expect(name).not.toBe(names(2)[at])
})

test('what is to be paid back leads to these invoices, archived ones included', () =>
  expect(books(1).find(({ key }) => key === 'zurueck')).toMatchObject({
    more: expect.stringContaining('119,00') as unknown,
    href: '/buchhaltung/rechnungen?stand=bezahlt,storniert&rest=..-0.01&archiv=mit',
  }))
