import { expect, test } from 'vitest'
import { SYSTEM_STATUS } from '#domain/roles.ts'
import { parseState, printState } from '../../list/list.ts'
import { filtersOf } from '../../list/table-source.ts'
import { nutzerList } from './nutzer-list.ts'

const asked = (search: Record<string, string>, among: readonly (readonly number[])[] = []) => {
  const list = nutzerList(among)
  return filtersOf(list, parseState(list, search)).map(({ key, value }) => `${key}=${value}`)
}

test('each filter of the address is one condition for the server', () => {
  expect(
    asked({ suche: 'Eva Forst', status: 'ogf_admin,appuser', zugang: 'gesperrt', app: 'aktiv' }),
  ).toEqual([
    'suchtext=like.*eva*',
    'suchtext=like.*forst*',
    'system_status=in.(ogf_admin,appuser)',
    'enabled=eq.false',
    'app_status=eq.aktiv',
  ])
  expect(asked({ angemeldet: 'nein', verknuepft: 'nein' })).toEqual([
    'verknuepft=eq.false',
    'angemeldet=eq.false',
  ])
})
test('the own team is whoever a role or a flag makes one', () => {
  const team = ['ogf_admin', 'ogf_team', 'apus_admin', 'apus_team', 'admin']
  expect(asked({ team: 'ja' })).toEqual([
    `or=(apus_admin.eq.true,apus_team.eq.true,system_status.in.(${team.join(',')}))`,
  ])
  const others = SYSTEM_STATUS.filter((status) => !team.includes(status))
  expect(asked({ team: 'nein' })[2]).toBe(`system_status=in.(${others.join(',')})`)
})
test('the people of a customer and of a headquarters narrow together; nobody’s list lets nobody through', () => {
  expect(asked({ kunde: '5', forstbetrieb: '11' }, [[1, 2], [2]])).toEqual([
    'user_id=in.(1,2)',
    'user_id=in.(2)',
  ])
  expect(asked({ kunde: '5' }, [[]])).toEqual(['user_id=in.(0)'])
})
test('a broken address becomes the plain list', () => {
  const list = nutzerList([])
  expect(
    printState(
      list,
      parseState(list, { status: 'x', zugang: 'halb', kunde: '-1', sort: 'passwort', app: 'an' }),
    ),
  ).toEqual({})
})
