import { describe, expect, test } from 'vitest'
import { ROLES } from '#domain/roles.ts'
import { arranged, BLOCKS, blocksFor, moved, rowsOf } from './blocks.ts'

describe('the blocks of the start page', () => {
  test('every role but the newly registered has some, and none has another half’s', () => {
    for (const role of ROLES) expect(blocksFor([role], 0), role).toEqual(expect.arrayContaining(['news']))
    expect(blocksFor(['appuser'], 0)).toEqual(['news', 'recent', 'map', 'drainage'])
    expect(blocksFor(['ogf_standard'], 1)).toEqual(['waiting', 'news', 'recent', 'holdings'])
    expect(blocksFor(['kundenadmin'], 0)).toEqual(['waiting', 'news', 'recent', 'map', 'numbers'])
    expect(blocksFor(['apus_team'], 0)).toEqual(['waiting', 'news', 'recent', 'map', 'numbers'])
    expect(blocksFor(['admin', 'ogf_admin', 'apus_admin'], 0)).toEqual([
      'setup',
      'waiting',
      'news',
      'recent',
      'map',
      'numbers',
    ])
  })

  test('stand in the person’s order; what is new keeps its place behind its neighbour', () => {
    expect(arranged(BLOCKS, { order: [] })).toEqual(BLOCKS)
    expect(arranged(['setup', 'waiting', 'news', 'numbers'], { order: ['numbers', 'setup'] })).toEqual([
      'numbers',
      'setup',
      'waiting',
      'news',
    ])
    expect(arranged(['waiting', 'news'], { order: ['gone', 'news', 'waiting'] })).toEqual(['news', 'waiting'])
    expect(arranged(['setup', 'waiting'], { order: ['waiting'] })).toEqual(['setup', 'waiting'])
  })

  test('move by one and not beyond the ends', () => {
    expect(moved(['setup', 'waiting', 'news'], 'news', -1)).toEqual(['setup', 'news', 'waiting'])
    expect(moved(['setup', 'waiting', 'news'], 'setup', 1)).toEqual(['waiting', 'setup', 'news'])
    expect(moved(['setup', 'waiting'], 'setup', -1)).toEqual(['setup', 'waiting'])
    expect(moved(['setup', 'waiting'], 'news', 1)).toEqual(['setup', 'waiting'])
  })

  test('wide ones stand alone, narrow ones that follow each other side by side', () => {
    expect(rowsOf(['waiting', 'news', 'numbers'])).toEqual(['waiting', [['news'], ['numbers']]])
    expect(rowsOf(['news', 'recent', 'numbers'])).toEqual([[['news', 'recent'], ['numbers']]])
    expect(rowsOf(['news', 'recent', 'map', 'numbers'])).toEqual([[['news', 'recent', 'map'], ['numbers']]])
    expect(rowsOf(['numbers', 'waiting', 'news'])).toEqual(['numbers', 'waiting', 'news'])
    expect(rowsOf([])).toEqual([])
  })
})
