// Every text of the sign-in pages has its English one, and translating a page changes nothing but texts.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'oxc-parser'
import { describe, expect, test } from 'vitest'
import { DEMO_ACCOUNTS } from '#domain/demo-accounts.ts'
import { html } from '#server/html.ts'
import { ENGLISH, englishOf, inEnglish } from './english.ts'
import { type Asking, languageOf } from './language.ts'
import { createPages, messagePage } from './pages.ts'

/** Stands for what is inserted into a text. */
const INSERTED = 'Wert'
/**
 * Not shown on these pages: what OAuth says to programs, mails, answers to the application, which has English
 * its own texts, and what the operator reads at the start.
 */
const ELSEWHERE = new Set([
  'device-flow.ts',
  'program-clients.ts',
  'english.ts',
  'mail.ts',
  'admin-routes.ts',
  'outbox.ts',
  'secret-check.ts',
])
const ANSWERS_OF_THE_API = new Set(['NO_MAIL', 'UNKNOWN', 'HAS_PASSWORD', 'tooOften'])
/** What these are called with is for developers and logs. */
const NOT_SHOWN = new Set(['Error', 'Refusal', 'error', 'warn', 'info'])

interface Node {
  readonly type: string
  readonly [key: string]: unknown
}
const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'
const nameOf = (node: unknown): string => {
  const { name, property } = (node ?? {}) as { name?: string; property?: { name?: string } }
  return name ?? property?.name ?? ''
}
const filled = (template: Node) =>
  (template['quasis'] as { value: { cooked: string } }[]).map(({ value }) => value.cooked).join(INSERTED)

/** A string made of literals; what is computed is in it as a value. */
function plainText(node: Node): string | null {
  if (node.type === 'Literal') return typeof node['value'] === 'string' ? node['value'] : null
  if (node.type === 'TemplateLiteral') return filled(node)
  if (node.type !== 'BinaryExpression' || node['operator'] !== '+') return null
  const [left, right] = [plainText(node['left'] as Node), plainText(node['right'] as Node)]
  return left === null || right === null ? null : left + right
}
const textsOfMarkup = (markup: string) => [
  ...markup.split(/<[^>]*>/),
  ...[...markup.matchAll(/alt="([^"]+)"/g)].map(([, alt = '']) => alt),
]
const isSentence = (text: string) =>
  /^(?:\S+ )*[A-ZÄÖÜ][a-zäöüß]+/u.test(text) && /\s/.test(text) && /[äöüß„.:]|[a-z] [a-z]/u.test(text)

function textsIn(node: unknown, found: string[]): void {
  if (Array.isArray(node)) for (const one of node) textsIn(one, found)
  if (!isNode(node) || node.type.startsWith('Import') || node.type.startsWith('TS')) return
  if (['CallExpression', 'NewExpression'].includes(node.type) && NOT_SHOWN.has(nameOf(node['callee']))) return
  if (node.type === 'VariableDeclarator' && ANSWERS_OF_THE_API.has(nameOf(node['id']))) return
  if (node.type === 'TaggedTemplateExpression') {
    const quasi = node['quasi'] as Node
    if (nameOf(node['tag']) === 'html') found.push(...textsOfMarkup(filled(quasi)))
    textsIn(quasi['expressions'], found)
    return
  }
  const text = plainText(node)
  if (text !== null && isSentence(text)) found.push(text)
  if (text !== null && node.type !== 'TemplateLiteral') return
  for (const value of Object.values(node)) textsIn(value, found)
}

const NO_PAGE_TEXT =
  /^(?:select|insert|update|delete|with|set|Wert where)\b|^Bearer |^more than |^(?:English|Deutsch)$/i
/** Words and sentences; no marks, values, headers or statements of the database. */
const isShown = (text: string) =>
  /[a-zäöü]{2}/iu.test(text.replaceAll(INSERTED, '')) && !NO_PAGE_TEXT.test(text)

function shownTexts(file: string): string[] {
  const found: string[] = []
  const path = join(import.meta.dirname, file)
  textsIn(parseSync(path, readFileSync(path, 'utf8')).program as unknown, found)
  return found.map((text) => text.replaceAll(/\s+/g, ' ').trim()).filter(isShown)
}
const SHOWN = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith('.ts') && !/\.(?:test|fixture)\.ts$/.test(file) && !ELSEWHERE.has(file))
  .flatMap((file) => shownTexts(file).map((text) => [file, text] as const))

describe('the sign-in pages in English', () => {
  test('every text has its English one', () => {
    expect(SHOWN.length).toBeGreaterThan(100)
    expect(SHOWN.filter(([, text]) => englishOf(text) === null)).toEqual([])
    expect(DEMO_ACCOUNTS.filter(({ title }) => englishOf(title) === null)).toEqual([])
  })

  test('no English text is left of a German one that is gone', () => {
    const filledIn = new Set(
      [...SHOWN.map(([, text]) => text), ...DEMO_ACCOUNTS.map(({ title }) => title)].map(
        (text) => englishOf(text) ?? text,
      ),
    )
    const sources = readdirSync(join(import.meta.dirname, '..'), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !/english\.(?:test\.)?ts$|\.test\.ts$/.test(file))
      .map((file) => readFileSync(join(import.meta.dirname, '..', file), 'utf8'))
      .join('\n')
    const dead = Object.entries(ENGLISH).filter(
      ([german, english]) =>
        !filledIn.has(english.replaceAll(/\{\w+\}/g, INSERTED)) && !sources.includes(german.split('{')[0]!),
    )
    expect(dead.map(([german]) => german)).toEqual([])
  })

  test('a page changes in its texts and nothing else; what people typed stays as it is', () => {
    const page = html`<p class="leise">Angemeldet wird ${'<b>"Weiter"</b>@x.de'}.</p>
<input name="email" value="Passwort"><button class="knopf" type="submit">
  Weiter</button><img alt="${'Abmelden'}" src="data:,x"><p>${'Herr Weiter'}</p>`
    expect(inEnglish(page.text)).toBe(
      page.text
        .replace('Angemeldet wird', 'You are signing in as')
        .replace(';.</p>', ';.</p>')
        .replace('\n  Weiter<', '\n  Continue<')
        .replace('alt="Abmelden"', 'alt="Sign out"'),
    )
  })

  const asked = (headers: Asking['headers'], url = '/anmelden/vergessen') => languageOf({ url, headers })
  test.each([
    ['nothing said', undefined, 'de'],
    ['German first', 'de-DE,de;q=0.9,en;q=0.8', 'de'],
    ['English first', 'en-GB,en;q=0.9,de;q=0.8', 'en'],
    ['weights count, not the order', 'en;q=0.5,de;q=0.7', 'de'],
    ['neither of the two', 'fr-FR,fr;q=0.9', 'en'],
    ['another, then German', 'pl,de;q=0.7,en;q=0.3', 'de'],
    ['German refused', 'de;q=0,pl', 'en'],
    ['anything', '*', 'de'],
    ['rubbish', ';;;,,=q', 'de'],
    ['very long', `${'x,'.repeat(100_000)}en`, 'de'],
  ])('%s', (_what, accepted, language) => {
    expect(asked({ 'accept-language': accepted })).toBe(language)
  })

  test('a choice beats what the browser asks for, the latest one the one that was kept', () => {
    const english = { 'accept-language': 'en' }
    expect(asked({ ...english, cookie: 'a=1; sprache=de' })).toBe('de')
    expect(asked({ ...english, cookie: 'sprache=de' }, '/anmelden/vergessen?sprache=en')).toBe('en')
    expect(asked({ cookie: 'xsprache=en; sprache=fr' }, '/anmelden/vergessen?sprache=xx')).toBe('de')
  })

  test('every page has whom to call, one press away', () => {
    const support = { phone: '+49 (0)351 12 34', hours: 'Mo–Fr 9–17 Uhr' }
    const pages = createPages({
      title: 'T',
      publicOrigin: 'https://a.example',
      appOrigins: [],
      support,
    })
    const page = messagePage('Diese Seite gibt es nicht', [], null, true)
    expect(pages.render(page, 'de', null)).toContain(
      'Hilfe bei der Anmeldung: <a href="tel:+493511234">+49 (0)351 12 34</a> (Mo–Fr 9–17 Uhr)',
    )
    expect(pages.render(page, 'en', null)).toContain('Help with signing in: <a href="tel:+493511234">')
  })

  test('no form cuts what is pasted', () => {
    const file = readFileSync(join(import.meta.dirname, 'form-pages.ts'), 'utf8')
    expect(file).not.toMatch(/maxlength="/)
  })

  test('a page leads to itself in the other language, unless it cannot be opened again', () => {
    const pages = createPages({ title: 'T', publicOrigin: 'https://a.example', appOrigins: [] })
    const page = messagePage('Diese Seite gibt es nicht', [], null, true)
    expect(pages.render(page, 'de', '/anmelden/x')).toContain('href="/anmelden/x?sprache=en" lang="en"')
    const english = pages.render(page, 'en', '/anmelden/x')
    expect(english).toContain('<html lang="en">')
    expect(english).toContain('<title>Error: This page does not exist – T</title>')
    expect(english).toContain('href="/anmelden/x?sprache=de" lang="de"')
    expect(pages.render(page, 'en', null)).not.toContain('sprache=')
  })
})
