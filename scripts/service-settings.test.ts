import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parseServiceSettings } from './service-settings.ts'

const settingsOf = (text: string) => parseServiceSettings(text).settings

// As man systemd.exec and its source have it.
test.each<[what: string, text: string, settings: Record<string, string>]>([
  ['a plain line', 'HOST=127.0.0.1\nPORT=3000\n', { HOST: '127.0.0.1', PORT: '3000' }],
  ['no end of line at the end', 'PORT=3000', { PORT: '3000' }],
  [
    'blanks before the name',
    '  \tDATABASE_URL=postgres://db/forst\n',
    { DATABASE_URL: 'postgres://db/forst' },
  ],
  ['blanks around the equals sign', 'PORT =  3000\n', { PORT: '3000' }],
  ['blanks at the end', 'PORT=3000 \t\nA=1\n', { PORT: '3000', A: '1' }],
  ['lines of Windows', 'PORT=3000\r\nHOST=::1\r\n', { PORT: '3000', HOST: '::1' }],
  ['blanks within a value', 'APP_TITLE=Forst  Amt\n', { APP_TITLE: 'Forst  Amt' }],
  ['comments and lines without an equals sign', '# A=1\n;B=2\nC\n  # D=4\nE=5\n', { E: '5' }],
  ['no comment behind a value', 'A=1 # one\n', { A: '1 # one' }],
  ['an empty value', 'A=\nB=2\n', { A: '', B: '2' }],
  ['equals signs in a value', 'A=b=c\n', { A: 'b=c' }],
  ['the last of two', 'A=1\nA=2\n', { A: '2' }],
  ['backslashes', String.raw`A=a\\b\c\ ` + '\n', { A: 'a\\bc ' }],
  ['a continued line', 'A=one\\\n two\nB=2\n', { A: 'one two', B: '2' }],
  ['single quotes', "A='a  b\\n\"c' \n", { A: 'a  b\\n"c' }],
  ['single quotes over lines', "A='one\ntwo'\nB=2\n", { A: 'one\ntwo', B: '2' }],
  ['double quotes', String.raw`A=" a\"b\\c\$d\n "` + '\n', { A: ' a"b\\c$d\\n ' }],
  ['double quotes, continued', 'A="one\\\ntwo"\n', { A: 'onetwo' }],
  ['quotes within a value', 'A=it\'s "fine"\n', { A: 'it\'s "fine"' }],
  ['quoted parts side by side', 'A="a"\'b\'c\n', { A: 'abc' }],
  ['small letters', 'http_proxy=x\n', { http_proxy: 'x' }],
])('%s', (_, text, settings) => expect(settingsOf(text)).toEqual(settings))

test('what the service passes over is said', () => {
  expect(parseServiceSettings('export PORT=3000\n# a note \\\nHOST=::1\n')).toEqual({
    settings: { HOST: '::1' },
    ignored: ['no name of a setting: export PORT', 'a comment that ends with a backslash: # a note \\'],
  })
})

test('a command gets the settings, its words and what is passed over', () => {
  const folder = mkdtempSync(join(tmpdir(), 'forstkontor-settings-'))
  try {
    writeFileSync(join(folder, 'env'), ' DATABASE_URL=postgres://db/forst\\\n?x \nexport PORT=1\n')
    writeFileSync(
      join(folder, 'command.mjs'),
      'console.log(JSON.stringify([process.env.DATABASE_URL, process.env.PORT ?? null, process.argv.slice(2)]))',
    )
    const words = [
      join(import.meta.dirname, 'as-service.ts'),
      join(folder, 'env'),
      join(folder, 'command.mjs'),
    ]
    const env = { PATH: process.env['PATH'] }
    const said = execFileSync(
      'sh',
      ['-c', '"$0" "$@" 2>&1', process.execPath, ...words, 'dump', '--to', 'x'],
      {
        encoding: 'utf8',
        env,
      },
    )
    expect(said).toContain('["postgres://db/forst?x",null,["dump","--to","x"]]')
    expect(said).toContain('no name of a setting: export PORT')
  } finally {
    rmSync(folder, { recursive: true })
  }
})
