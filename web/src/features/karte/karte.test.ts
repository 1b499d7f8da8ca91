import proj4 from 'proj4'
import { describe, expect, test } from 'vitest'
import type { Karte } from '#contract/karte.ts'
import { createConverter, type Projector } from '#domain/projection.ts'
import { address } from '../../data/addresses.ts'
import { connectClient } from '../../data/client.ts'
import { arrange } from '../../list/array-source.ts'
import { parseState, plainState } from '../../list/list.ts'
import { filtersOf, orderOf, stretchRead } from '../../list/table-source.ts'
import { jobErrorText } from './job-error.ts'
import { uploadFault } from './upload-fault.ts'
import {
  AnswerSchema,
  emptyRegister,
  KARTE,
  KarteSchema,
  type KarteValues,
  newKarte,
  parseScale,
  RegisterSchema,
} from './karte-form.ts'
import { OWN_KARTEN, OWN_KARTEN_WITH_ANSWER, KARTEN, kartenOf } from './karte-list.ts'
import {
  answerForCustomer,
  CLIENT_STATUS,
  nameFromFile,
  questionAbout,
  showValue,
  STATUS,
  statusForCustomer,
  statusName,
  todoText,
  viewText,
} from './karte-words.ts'
import { cutoutOf } from './PlanOnGround.tsx'
import { stateText } from './UploadBar.tsx'

const filters = (search: Record<string, string>, list = KARTEN) =>
  filtersOf(list, parseState(list, search)).map(({ key, value }) => `${key}=${value}`)

describe('filters of the staff’s list', () => {
  test.each([
    [{ status: 'neu,geprueft,quatsch' }, ['status=in.(neu,geprueft)']],
    [{ antwort: 'rueckfrage' }, ['client_status=in.(rueckfrage)']],
    [{ georef: 'mit' }, ['georef_typ=not.is.null']],
    [{ georef: 'ohne' }, ['georef_typ=is.null']],
    [{ georef: 'ja' }, []],
    [{ sichtbar: 'nein' }, ['show_client=eq.false']],
    [{ kunde: '17' }, ['client_id=eq.17']],
    [{ jahr: '1950..1975' }, ['jahr=gte.1950', 'jahr=lte.1975']],
    [{ jahr: '1600..' }, []],
    [{ kreis: 'Vorp' }, ['kreis=ilike.Vorp*']],
    [{ epsg: '2398' }, ['epsg=in.(2398)']],
    [{ suche: 'Müller 1974' }, ['suchtext=like.*müller*', 'suchtext=like.*1974*']],
  ])('%j', (search, asked) => expect(filters(search as Record<string, string>)).toEqual(asked))
  test('sorted by customer, the customers’ own folding is asked for', () =>
    expect(orderOf(KARTEN, { ...plainState(KARTEN), sort: 'kunde' }).map(({ column }) => column)).toEqual([
      'kunde_sortname',
      'id',
    ]))
  test('an export of plans without a district goes on behind them', () =>
    expect(
      decodeURIComponent(
        address('karte_liste', {
          ...stretchRead(KARTEN, { ...plainState(KARTEN), sort: 'kreis' }, { value: null, key: 7 }, 2),
          select: ['id'],
        }),
      ),
    ).toContain('and=(kreis.is.null,id.gt.7)'))
})

describe('lists of customers', () => {
  test('nothing of the staff’s is asked for or exported', () => {
    for (const list of [OWN_KARTEN, OWN_KARTEN_WITH_ANSWER]) {
      expect(filters({ kunde: '5', sichtbar: 'ja', georef: 'mit' }, list)).toEqual([])
      expect(list.columns().map(({ key }) => key)).not.toContain('kunde')
    }
  })
  test('who may answer is asked to, the others are told who does', () => {
    const text = (list: typeof OWN_KARTEN) => {
      const column = list.columns().find(({ key }) => key === 'tun')
      return column?.exported?.({ client_status: 'offen' } as Parameters<
        NonNullable<typeof column.exported>
      >[0])
    }
    expect(text(OWN_KARTEN_WITH_ANSWER)).toBe('Bitte ansehen und antworten')
    expect(text(OWN_KARTEN)).toBe('Die Verwaltung Ihres Betriebs wird um Antwort gebeten')
  })
})

test('within a customer’s page the same filters work on rows', () => {
  const list = kartenOf(5)
  const rows = [
    {
      id: 1,
      map_name: 'Blatt 2',
      status: 'neu',
      show_client: false,
      georef_typ: null,
      jahr: 1970,
      kreis: 'Vorpommern',
      gemarkung: 'Ütz',
    },
    {
      id: 2,
      map_name: 'Blatt 10',
      status: 'geprueft',
      show_client: true,
      georef_typ: 'tps',
      jahr: null,
      kreis: null,
      gemarkung: null,
    },
    {
      id: 3,
      map_name: 'Blatt 1',
      status: 'geprueft',
      show_client: true,
      georef_typ: null,
      jahr: 1981,
      kreis: 'Prignitz',
      gemarkung: null,
    },
  ] as unknown as Parameters<typeof list.rowKey>[0][]
  const ids = (search: Record<string, string>) =>
    arrange(list, rows, parseState(list, search)).map(({ id }) => id)
  expect(ids({ georef: 'mit' })).toEqual([2])
  expect(ids({ georef: 'ohne', status: 'geprueft' })).toEqual([3])
  expect(ids({ jahr: '1970..1980' })).toEqual([1])
  expect(ids({ sichtbar: 'ja', sort: '-nr' })).toEqual([3, 2])
  expect(ids({ suche: 'uetz' })).toEqual([1])
})

describe('words', () => {
  test('every stage and answer has words of its own on both sides', () => {
    expect(new Set(STATUS.map(statusName)).size).toBe(STATUS.length)
    expect(new Set(STATUS.map(statusForCustomer)).size).toBe(STATUS.length)
    expect(new Set(CLIENT_STATUS.map(answerForCustomer)).size).toBe(CLIENT_STATUS.length)
    for (const status of CLIENT_STATUS) expect(todoText(status, true)).not.toBe('')
  })
  test('what the customer will see is said, with the remark and without', () => {
    const view = (change: Partial<Karte>) =>
      viewText({ show_client: true, status: 'gescannt', bem_to_client: null, ...change } as Karte, 'Gut Hof')
    expect(view({ show_client: false })).toBe('Gut Hof sieht diesen Plan nicht.')
    expect(view({})).toContain('„Eingescannt“, die Registerdaten und die Dateien')
    expect(view({ bem_to_client: '  ' })).not.toContain('Ihre Bemerkung')
    expect(view({ bem_to_client: 'Bitte prüfen' })).toContain('Ihre Bemerkung an den Kunden')
  })
  test.each([
    ['Plan 12_b.TIF', 'Plan 12_b'],
    ['C:\\Scans\\Ütz.Blatt.1.jpeg', 'Ütz.Blatt.1'],
    ['ohne-endung', 'ohne-endung'],
    ['a\u0000b\n c.png', 'a b c'],
    ['.tif', ''],
    [`${'ä'.repeat(300)}.tif`, 'ä'.repeat(200)],
  ])('a plan after the file %j', (file, name) => expect(nameFromFile(file)).toBe(name))
  test.each([
    ['scale', 2500, '1:2.500'],
    ['show_client', false, 'nein'],
    ['epsg', 2398, '2398 · Gauß-Krüger 4 (S42/83)'],
    ['client_status', 'rueckfrage', 'Rückfrage'],
    ['din', 'sonstige', 'sonstiges Format'],
    ['jahr', null, ''],
  ])('%s %j reads %j', (field, value, text) => expect(showValue(field, value)).toBe(text))
})

describe('register', () => {
  test.each([
    ['2500', 2500],
    ['1:2500', 2500],
    ['1 : 2.500', 2500],
    ['1/10 000', 10000],
    ['0', null],
    ['1:', null],
    ['-5', null],
    ['1:2500,5', null],
    ['99999999', null],
  ])('scale %j', (text, scale) => expect(parseScale(text)).toBe(scale))
  const faults = (change: Record<string, string>) => {
    const result = RegisterSchema.safeParse({ ...emptyRegister(25833), map_name: 'Blatt 1', ...change })
    return result.success ? [] : result.error.issues.map(({ path }) => path.join())
  }
  test.each([
    [{}, []],
    [{ map_name: '  ' }, ['map_name']],
    [{ map_name: 'x'.repeat(201) }, ['map_name']],
    [{ jahr: '1699' }, ['jahr']],
    [{ jahr: '74' }, ['jahr']],
    [{ jahr: '1974' }, []],
    [{ scale: '1:x' }, ['scale']],
    [{ epsg: '' }, ['epsg']],
    [{ epsg: '4711' }, ['epsg']],
    [{ din: 'A5' }, ['din']],
    [{ kreis: 'a\u0007' }, ['kreis']],
  ])('%j', (change, wrong) => expect(faults(change as Record<string, string>)).toEqual(wrong))
  test('what is left empty is left to the database', () =>
    expect(
      newKarte({ ...emptyRegister(25833), map_name: ' Blatt 1 ', scale: '1:2500', jahr: '1974' }),
    ).toEqual({
      map_name: 'Blatt 1',
      scale: 2500,
      jahr: 1974,
      epsg: 25833,
    }))
  test('a plan comes out of its form as it went in', () => {
    const row = Object.fromEntries(KARTE.fields.map((field) => [field, null])) as unknown as Karte
    const full = {
      ...row,
      map_name: 'Blatt',
      epsg: 2398,
      scale: 5000,
      jahr: 1961,
      show_client: true,
      status: 'neu',
      client_status: 'offen',
      bem_apus: 'a\nb',
    } as Karte
    const values = KARTE.toValues(full) as KarteValues
    expect(KarteSchema.safeParse(values).success).toBe(true)
    expect(KARTE.toFields(values)).toEqual(
      Object.fromEntries(KARTE.fields.map((field) => [field, full[field]])),
    )
  })
  test('whoever asks back says what', () => {
    expect(AnswerSchema.safeParse({ client_status: 'rueckfrage', bem_client: ' ' }).success).toBe(false)
    expect(AnswerSchema.safeParse({ client_status: 'rueckfrage', bem_client: 'Wo?' }).success).toBe(true)
    expect(AnswerSchema.safeParse({ client_status: 'freigegeben', bem_client: '' }).success).toBe(true)
  })
})

describe('what was refused is told with the next step', () => {
  const told = async (status: number, body: string, began = false) =>
    (await uploadFault(status, body, began))()
  test('by the rule that was broken', async () =>
    expect(
      await told(400, JSON.stringify({ code: 40000, message: 'x', error: 'bad_value', hint: 'upload_typ' })),
    ).toContain('TIFF, JPEG, PNG, WebP oder PDF'))
  test('of an upload that is gone, as the server says it', async () =>
    expect(
      await told(
        404,
        '{"message":"Dieser Upload ist nicht mehr vorhanden. Bitte laden Sie die Datei noch einmal hoch."}',
        true,
      ),
    ).toBe('Dieser Upload ist nicht mehr vorhanden. Bitte laden Sie die Datei noch einmal hoch.'))
  test('by the server’s own sentence', async () =>
    expect(await told(422, '{"message":"Zu viele Seiten."}')).toBe('Zu viele Seiten.'))
  test('by the status, where something between us and the server answered', async () => {
    for (const [uploadLimitMb, said] of [
      [2048, 'größer als 2 GB'],
      [1536, 'größer als 1,5 GB'],
      [300, 'größer als 300 MB'],
    ] as const) {
      connectClient({
        dataApi: '',
        generalApi: '',
        uploadLimitMb,
        token: () => null,
        refresh: async () => false,
        sessionLost: () => {},
      })
      expect(await told(413, '<html>nginx</html>')).toContain(said)
    }
    expect(await told(404, '{"message":"not found"}')).toContain('Diesen Plan gibt es nicht mehr')
    expect(await told(507, '')).toContain('kein Platz')
    expect(await told(418, '')).toContain('nicht angenommen')
  })
  test('a job', () => {
    expect(jobErrorText('karte_punkte_linie', null)).toContain('Geraden')
    expect(jobErrorText('karte_punkte_doppelt', '3, 7')).toMatch(/\(3, 7\)$/)
    expect(jobErrorText('gibt_es_nicht', null)).toContain('noch einmal')
    expect(jobErrorText(null, null)).toContain('noch einmal')
  })
})

test('how far an upload is', () => {
  const text = (stand: Parameters<typeof stateText>[0]['stand'], done = 500_000_000) =>
    stateText({ stand, done, size: 1_000_000_000 })
  expect(text('laedt')).toBe('500,0 MB von 1,0 GB, 50 %')
  expect(text('unterbrochen')).toContain('50 %')
  expect(text('fertig')).toBe('fertig, 1,0 GB')
  expect(stateText({ stand: 'laedt', done: 0, size: 0 })).toContain('0 %')
})

test('whether plan and ground agree is asked only of who has seen both', () => {
  const result: Parameters<typeof cutoutOf>[1] = { umriss: [[4_550_000, 5_900_000]], epsg: 31_468 }
  expect(cutoutOf(createConverter(proj4 as unknown as Projector, null), result)).toBeNull()
  const inUtm: Parameters<typeof cutoutOf>[1] = { umriss: [[400_000, 5_900_000]], epsg: 25_833 }
  expect(cutoutOf(createConverter(proj4 as unknown as Projector, null), inUtm)).toHaveLength(4)
  expect([
    questionAbout(undefined, false),
    questionAbout(result, false),
    questionAbout(result, true),
  ]).toEqual([
    'Ist das der richtige Plan? Auf der Karte liegt er noch nicht.',
    'Ist das der richtige Plan? Auf der Karte ist er hier nicht zu sehen.',
    'Stimmt der Plan mit dem Gelände überein?',
  ])
})
