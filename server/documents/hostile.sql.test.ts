// Hostile text all the way: through the procedures that store it, into the company, a customer, a template
// and text blocks, from there into a document, and out of the stored files as the same text. That each field
// of a document preserves it completely is tested in hostile.test.ts.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { setText } from '#domain/typeset-text.ts'
import { asCaller, EITHER_ENGINE, type Engine, isMissing, openEngine, sql } from '../../db/test/engines.ts'
import { buildWorld } from '../../db/test/nouns.ts'
import { A, claimsOf } from '../../db/test/world.ts'
import { parseXml } from '../../test/einvoice/xml-tree.ts'
import { createStore } from './store.ts'
import { allText, bare, hasReader, onPaper } from './paper.fixture.ts'
import { createRenderer } from './renderer.ts'

const HOSTILE = [
  '#read("/etc/passwd") #panic("x")',
  "'; drop table app.rechnung; -- $$ \\",
  '<b>&amp;</b> ]]> <!ENTITY a "b"> &a;',
  '$x^2$ `roh` *fett* @ref <marke>',
  '=1+1 @SUM(A1) |cmd %s \\n',
] as const
/** One of them, between marks that name the place it was put into. */
const text = (mark: string, nr: number): string => `${mark} ${HOSTILE[nr % HOSTILE.length]} ${mark}`

for (const engineName of EITHER_ENGINE)
  describe.skipIf(isMissing(engineName) || !hasReader)(
    `hostile text that was stored, on ${engineName}`,
    () => {
      let engine: Engine
      const renderer = createRenderer()
      beforeAll(async () => {
        engine = await openEngine(engineName)
        await buildWorld(engine.owner)
      }, 240_000)
      afterAll(async () => {
        await renderer.close()
        await engine?.close()
      })
      const value = async <T>(call: string, ...values: unknown[]): Promise<T> => {
        const { rows } = await engine.api.once<Record<string, unknown>>(
          asCaller(claimsOf('apus_admin')),
          sql(`select ${call}`, ...values),
        )
        return Object.values(rows[0]!)[0] as T
      }
      const filesOf = async (art: 'rechnung' | 'mahnung', id: number) => {
        const fileStore = createStore(engine.api, renderer)
        await fileStore.make(art, String(id))
        const files = await fileStore.fetchFiles(art, String(id))
        const xml = files.find((file) => file.art === 'xml')
        return {
          paper: onPaper(files.find((file) => file.art === 'pdf')!.inhalt),
          xml: xml === undefined ? '' : bare(allText(parseXml(xml.inhalt.toString('utf8')))),
        }
      }

      test.each(HOSTILE.map((_, turn) => turn))('%i', async (turn) => {
        const given = (mark: string, at: number) => text(mark, at + turn)
        const texts = {
          firma: given('FIRMA', 0),
          fuss: given('FUSS', 1),
          kunde: given('KUNDE', 2),
          strasse: given('WEG', 3),
          template: given('VORLAGE', 4),
          titel: given('TITEL', 5),
          erl: given('ERL', 6),
          anrede: given('ANREDE', 7),
          anschreiben: given('BRIEF', 8),
          zuerl: given('SCHLUSS', 9),
          mahnung: given('MAHNUNG', 10),
        }
        await value(
          'app.a_set_lieferant($1::jsonb)',
          JSON.stringify({ name: texts.firma, fusszeile: texts.fuss }),
        )
        await engine.api.once(
          asCaller(claimsOf('apus_admin')),
          sql(
            'update app.kunde set name = $1, strasse = $2 where client_id = $3',
            texts.kunde,
            texts.strasse,
            A,
          ),
        )
        const template = await value<number>(
          'app.a_save_position_tmpl($1, $2, 80, erl_titel => $3, erl => $4)',
          texts.template,
          'Std',
          texts.titel,
          texts.erl,
        )
        // A text block returns what was put in, and that goes into the letter.
        const block = async (art: string, content: string): Promise<string> => {
          const id = await value<number>('app.a_save_freitext($1, $2, $3)', art, `${art} ${turn}`, content)
          return value<string>('text from app.a_get_all_freitexte() where id = $1', id)
        }
        const [salutation, letter, remarks, reminder] = [
          await block('anrede', texts.anrede),
          await block('anschreiben', texts.anschreiben),
          await block('zuerl', texts.zuerl),
          await block('mahnung', texts.mahnung),
        ]
        const line = await value<string>(
          `jsonb_build_object('bez', bez, 'einheit', einheit, 'ep', ep, 'erl_titel', erl_titel, 'erl', ` +
            `erl, 'erl_on', true, 'anzahl', '2')::text from app.a_get_position_tmpl() where id = $1`,
          template,
        )
        const id = Number(await value('app.a_add_invoice($1, $2, $2, 19)', A, '2026-02-02'))
        await value(
          `app.a_update_invoice_details('x', '2026-02-02', '2026-02-02', $1, $2, $3, $4, 19)`,
          id,
          salutation,
          letter,
          remarks,
        )
        await value('app.a_save_positions($1::jsonb, $2)', `[${line}]`, id)
        await value('nummer from app.a_issue_invoice($1)', id)

        const { paper, xml } = await filesOf('rechnung', id)
        const printed = (one: string) => bare(setText(one))
        for (const name of ['anrede', 'anschreiben', 'zuerl', 'erl'] as const)
          expect(paper, name).toContain(printed(texts[name]))
        // Cells and columns are interrupted by their neighbours, so only the characters are counted: each
        // occurs at least as often as it was typed.
        for (const [name, one] of Object.entries(texts)) {
          if (name === 'mahnung') continue
          for (const [sign, all] of Map.groupBy(printed(one), (each) => each))
            expect(paper.split(sign).length - 1, `${name} ${sign}`).toBeGreaterThanOrEqual(all.length)
          if (name !== 'fuss') expect(xml, name).toContain(bare(one))
        }
        expect(paper).not.toMatch(/root:.?:0:0/)

        const reminded = Number(await value('app.a_add_mahnung($1, 1, text => $2)', id, reminder))
        expect((await filesOf('mahnung', reminded)).paper).toContain(printed(texts.mahnung))
        expect(await value<boolean>(`to_regclass('app.rechnung') is not null`)).toBe(true)
      })
    },
  )
