// Comments and docs are in the English of a native engineer: these words are not.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { commentsIn, withoutQuotations } from './test/comments.ts'

/** What to write instead. Names of files and variables stand in backticks, words of others in quotes. */
const REFUSED: readonly (readonly [word: RegExp, instead: string])[] = [
  [/\bwho(?:so|m)?ever\b/i, 'people who …, the caller, no matter who'],
  [/\banew\b/i, 'again'],
  [/\breckon(?:s|ed|ing|ings)?\b/i, 'calculate, calculation'],
  [/\blies\b/i, 'is'],
  [/\btold\b/i, 'learns, gets, is reported, is notified'],
  [/\ban? [\w-]+ of (?:its|their|his|her|one['’]s) own\b/i, 'its own …, a separate …'],
  [/\bmend(?:s|ed|ing)?\b/i, 'fix'],
  [/\bheed(?:s|ed)?\b/i, 'follow, respect'],
  [/\bin vain\b/i, 'without success'],
  [/\blikewise\b/i, 'also, in the same way'],
  [/\b(?:thereof|whereof|whence|nought|amidst?|betwixt|ere)\b/i, 'a plain word'],
  [/\bnone of an? /i, 'no …'],
]

const FOLDERS = 'bench contract db deploy docs domain e2e keycloak scripts server test web'.split(' ')
const written = FOLDERS.flatMap((folder) =>
  readdirSync(join(import.meta.dirname, folder), { recursive: true, encoding: 'utf8' }).map(
    (file) => `${folder}/${file}`,
  ),
)
  .concat(readdirSync(import.meta.dirname))
  .filter((file) => /\.(?:tsx?|mts|m?js|sql|css|md)$/.test(file))
  // Migrations are frozen with their comments; the others are not ours or made.
  .filter((file) => !/^db\/migrations\/|(?:^|\/)(?:golden|fixtures|node_modules|dist|out|data)\//.test(file))

test('comments and docs have no words that no native engineer writes', () => {
  const lines = written.flatMap((file) =>
    commentsIn(file, readFileSync(join(import.meta.dirname, file), 'utf8')).map((one) => ({ file, ...one })),
  )
  expect(lines.length).toBeGreaterThan(10_000)
  const found = lines.flatMap(({ file, line, text }) =>
    REFUSED.filter(([word]) => word.test(withoutQuotations(text))).map(
      ([word, instead]) => `${file}:${line} ${word.exec(text)?.[0]}: write ${instead}`,
    ),
  )
  expect(found).toEqual([])
})

test.each([
  ['a.ts', '/** Told to nobody. */\nconst told = 1 // `told` stays\n', [1]],
  ['a.css', '/* x\n * lies */', [2]],
  ['a.sql', "select 'told'; -- anew", [1]],
  ['a.md', 'He "reckons" so.\n```\ntold\n```\nWhoever', [5]],
])('the words are found in comments of %s alone', (file, text, at) => {
  const found = commentsIn(file, text).filter((one) =>
    REFUSED.some(([word]) => word.test(withoutQuotations(one.text))),
  )
  expect(found.map(({ line }) => line)).toEqual(at)
})
