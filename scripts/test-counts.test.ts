import { expect, test } from 'vitest'
import {
  countReport,
  failuresOf,
  longestOf,
  filesToTryAgain,
  sum,
  tableOf,
  withSecondTry,
  wobblyOf,
} from './test-counts.ts'

const file = (status: string, ...tests: string[]) => ({
  name: 'a.test.ts',
  status,
  assertionResults: tests.map((one) => ({ status: one })),
})

test('passed, failed and skipped are counted one by one; todo and disabled count as skipped', () =>
  expect(
    countReport(
      {
        testResults: [
          file('failed', 'passed', 'failed', 'skipped'),
          file('passed', 'passed', 'todo', 'pending'),
        ],
      },
      1,
    ),
  ).toEqual({
    passed: 2,
    failed: 1,
    skipped: 3,
  }))
test('a file that could not be loaded is a failure although it names no test', () =>
  expect(countReport({ testResults: [file('failed'), file('passed', 'passed')] }, 1)).toEqual({
    passed: 1,
    failed: 1,
    skipped: 0,
  }))
test('a run that ends badly with all tests green is a failure', () =>
  expect(countReport({ testResults: [file('passed', 'passed')] }, 1)).toEqual({
    passed: 1,
    failed: 1,
    skipped: 0,
  }))
test('a run without a report is a failure', () =>
  expect(countReport(undefined, 0)).toEqual({ passed: 0, failed: 1, skipped: 0 }))
test('what failed is named with its file and first line; a broken file and an error of no test too', () =>
  expect(
    failuresOf({
      outside: ['Timeout 30000ms exceeded.\n at'],
      testResults: [
        {
          name: 'a.test.ts',
          status: 'failed',
          assertionResults: [
            { status: 'passed' },
            { status: 'failed', fullName: 'b c', failureMessages: ['expected 1\n at'] },
          ],
        },
        file('failed'),
        { ...file('failed', 'skipped'), message: 'canceling statement\n at' },
        file('passed', 'passed'),
      ],
    }),
  ).toEqual([
    'a.test.ts > b c: expected 1',
    'a.test.ts: the file broke off',
    'a.test.ts: the file broke off: canceling statement',
    'outside of any test: Timeout 30000ms exceeded.',
  ]))
test('what passed only the second time is named', () =>
  expect(
    wobblyOf({
      testResults: [
        {
          name: 'a.test.ts',
          status: 'passed',
          assertionResults: [
            { status: 'passed', fullName: 'b c', failureMessages: ['expected 1\n at'] },
            { status: 'passed', fullName: 'd', failureMessages: [] },
          ],
        },
      ],
    }),
  ).toEqual(['a.test.ts > b c: expected 1']))
test('the sum adds every column', () =>
  expect(
    sum([
      { passed: 1, failed: 0, skipped: 2 },
      { passed: 3, failed: 1, skipped: 0 },
    ]),
  ).toEqual({ passed: 4, failed: 1, skipped: 2 }))
test('the table has one line per suite', () =>
  expect(
    tableOf([{ name: 'unit', passed: 1, failed: 0, skipped: 2, seconds: 1.26 }])
      .split('\n')[1]
      ?.split(/\s+/),
  ).toEqual(['unit', '1', '0', '2', '1.3']))

test('what failed is tried again by file, a broken file too; many failures are not the machine\u2019s', () => {
  const report = {
    testResults: [
      { ...file('failed', 'failed'), name: 'a.test.ts' },
      { ...file('passed', 'passed'), name: 'b.test.ts' },
      { ...file('failed'), name: 'c.test.ts' },
    ],
  }
  expect(filesToTryAgain(report)).toEqual(['a.test.ts', 'c.test.ts'])
  expect(filesToTryAgain({ testResults: Array.from({ length: 7 }, () => file('failed', 'failed')) })).toEqual(
    [],
  )
  expect(filesToTryAgain({ ...report, outside: ['x'] })).toEqual([])
  expect(filesToTryAgain(undefined)).toEqual([])
})
test('the second try counts for its files alone', () => {
  const first = {
    testResults: [
      { ...file('failed', 'failed', 'passed'), name: 'a.test.ts' },
      { ...file('failed', 'failed'), name: 'b.test.ts' },
    ],
  }
  const second = { testResults: [{ ...file('passed', 'passed', 'passed'), name: 'a.test.ts' }] }
  expect(countReport(withSecondTry(first, second), 1)).toEqual({ passed: 2, failed: 1, skipped: 0 })
})

test('the files that took longest are named with their seconds', () => {
  const file = (name: string, startTime: number, endTime: number) => ({
    name,
    status: 'passed',
    startTime,
    endTime,
    assertionResults: [],
  })
  const report = { testResults: [file('a', 1000, 2500), file('b', 0, 61_234), file('c', 5, 6)] }
  expect(longestOf(report, 2)).toEqual(['   61.2 s  b', '    1.5 s  a'])
  expect(longestOf(undefined, 2)).toEqual([])
})
