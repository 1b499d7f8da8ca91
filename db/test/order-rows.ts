// Random orders as rows: advances with their payments, the final invoice that takes them off, and what happens to it
// afterwards. For datev-ust.sql.test.ts.
import * as w from './world.ts'

interface SampleOrder {
  readonly id: number
  readonly script: string
  /** Whether nothing happens that a line of a batch cannot say. */
  readonly isPlain: boolean
}
const day = (offset: number): string =>
  new Date(Date.UTC(2026, 0, 5) + offset * 86_400_000).toISOString().slice(0, 10)

const RATES = ['19.00', '7.00']
const euros = (cents: number): string => (cents / 100).toFixed(2)
const group = (rate: string, cents: number) => ({
  kategorie: 'S',
  satz: rate,
  grund: '',
  basis: euros(cents),
  steuer: euros(Math.round((cents * Number(rate)) / 100)),
})
type Group = ReturnType<typeof group>
const grossOf = (groups: readonly Group[]): number =>
  groups.reduce(
    (sum, { basis, steuer }) => sum + Math.round(Number(basis) * 100) + Math.round(Number(steuer) * 100),
    0,
  )
const netOf = (groups: readonly Group[]): number =>
  groups.reduce((sum, { basis }) => sum + Math.round(Number(basis) * 100), 0)

interface Row {
  readonly id: number
  readonly order: number
  readonly art: 'abschlag' | 'schluss' | 'storno'
  readonly datum: string
  readonly groups: readonly Group[]
  readonly beleg?: object
  /** SQL of the advances that are taken off. */
  readonly advances?: string
  readonly stornoOf?: number
  readonly copyOf?: number
  /** Of its lines. */
  readonly days?: readonly string[]
}
/** A draft first, because the advances of a final invoice are read from what was received. */
function documentRow(row: Row): string {
  const { id, order, art, datum, groups, beleg, advances, stornoOf, copyOf, days = [] } = row
  const json = JSON.stringify({
    art,
    nummer: `O-${id}`,
    datum,
    faellig: datum,
    leistungsort: 'grundstueck_inland',
    empfaenger: { name: `Auftrag ${order}`, land: 'DE', ust_id: '' },
    lieferant: { kleinunternehmer: false },
    le_date: datum,
    le_date_bis: null,
    positionen: [],
    summen: { steuern: groups },
    ...beleg,
  })
  const [net, gross] = [netOf(groups), grossOf(groups)].map(euros)
  const taken = advances === undefined ? `'[]'::jsonb` : `(${advances})`
  // Lines with days of their own, while it is a draft: those of an issued invoice are fixed.
  const lines = days.map(
    (each, index) =>
      `insert into app.position (client_id, rechnung_id, lfd_nr, bez, le_date)
       values (${w.A}, ${id}, ${index + 1}, 'x', '${each}');`,
  )
  const taking = `from (select ${taken} as list) a
      cross join lateral (
        select coalesce(sum((x ->> 'gezahlt')::numeric), 0) as paid from jsonb_array_elements(a.list) x
      ) t`
  // A Storno is never a draft.
  if (art === 'storno')
    return `insert into app.rechnung (id, client_id, art, storno_von, le_date, rn_datum, ust_satz, zustand, nummer,
        folge, ausgestellt_am, faellig, netto, steuer, brutto, anzahlung, zahlbetrag, beleg)
      select ${id}, ${w.A}, 'storno', ${stornoOf}, '${datum}', '${datum}', 19, 'ausgestellt', 'O-${id}', ${id}, now(),
        '${datum}', ${net}, ${gross} - ${net}, ${gross}, t.paid, ${gross} - t.paid,
        '${json}'::jsonb || jsonb_build_object('abschlaege', a.list)
      ${taking};`
  return [
    `insert into app.rechnung (id, client_id, angebot_id, art, kopie_von, le_date, rn_datum, ust_satz)
     values (${id}, ${w.A}, ${order}, '${art}', ${copyOf ?? null}, '${datum}', '${datum}', 19);`,
    ...lines,
    `update app.rechnung r set zustand = 'ausgestellt', nummer = 'O-${id}', folge = ${id},
       ausgestellt_am = now(), faellig = '${datum}', netto = ${net}, steuer = ${gross} - ${net}, brutto = ${gross},
       anzahlung = t.paid, zahlbetrag = ${gross} - t.paid,
       beleg = '${json}'::jsonb || jsonb_build_object('abschlaege', a.list)
     ${taking}
     where r.id = ${id};`,
  ].join('\n')
}
const payment = (invoice: number, at: string, cents: number, art = 'zahlung'): string =>
  `insert into app.zahlung (client_id, rechnung_id, datum, betrag, art)
   values (${w.A}, ${invoice}, '${at}', ${euros(cents)}, '${art}');`

/** What was received for the advances, as a final invoice has it (books.abschlaege); `factor` -1 for a Storno. */
const received = (advances: readonly number[], factor: 1 | -1): string =>
  `select coalesce(jsonb_agg(jsonb_build_object('id', r.id::text, 'gezahlt', (${factor} * p.paid)::text,
       'steuern', books.received_by_rate(r.beleg #> '{summen,steuern}', ${factor} * p.paid)) order by r.id), '[]')
   from app.rechnung r
     cross join lateral (
       select coalesce(sum(z.betrag), 0) as paid from app.zahlung z where z.rechnung_id = r.id and z.art = 'zahlung'
     ) p
   where r.id = any ('{${advances.join(',')}}') and p.paid <> 0`

export function randomOrders(
  random: (below: number) => number,
  count: number,
  firstId: number,
): SampleOrder[] {
  const some = <T>(of: readonly T[]): T => of[random(of.length)]!
  let id = firstId
  return Array.from({ length: count }, (_, nth): SampleOrder => {
    const order = firstId + nth
    const rates = some([RATES, RATES, RATES.slice(0, 1)])
    const whole = rates.map((rate) => [rate, 10_000 + random(900_000)] as const)
    const script = [
      `insert into app.angebot (id, client_id, an_datum, ust_satz) values (${order}, ${w.A}, '${day(0)}', 19);`,
    ]
    // Each rate in its own month, before, between or after the payments of the advances.
    const supplied = whole.map(() => random(120))
    let at = random(40)
    const advances = Array.from({ length: 1 + random(3) }, () => {
      const groups = whole.map(([rate, cents]) => group(rate, Math.round((cents * (5 + random(25))) / 100)))
      const gross = grossOf(groups)
      const own = id++
      script.push(documentRow({ id: own, order, art: 'abschlag', datum: day(at), groups }))
      const parts = some([[gross], [gross], [random(gross), 0]])
      const [first] = parts as [number, number?]
      script.push(payment(own, day((at += random(25))), first))
      if (first < gross) script.push(payment(own, day((at += random(25))), gross - first))
      return own
    })
    const groups = whole.map(([rate, cents]) => group(rate, cents))
    const issued = Math.max(at, ...supplied) + random(30)
    const last = Math.max(...supplied)
    const lines = whole.map(([rate, cents], index) => ({
      art: 'position',
      kategorie: 'S',
      ust_satz: rate,
      betrag: euros(cents),
      le_date: day(supplied[index]!),
      le_date_bis: null,
    }))
    const beleg = { positionen: lines, le_date: day(last), datum: day(issued) }
    const final = id++
    script.push(
      documentRow({
        id: final,
        order,
        art: 'schluss',
        datum: day(issued),
        groups,
        beleg,
        advances: received(advances, 1),
        days: supplied.map(day),
      }),
    )
    const rest = (share: number, when: number, art: string) =>
      `insert into app.zahlung (client_id, rechnung_id, datum, betrag, art)
       select ${w.A}, ${final}, '${day(when)}', round(zahlbetrag * ${share}, 2), '${art}'
       from app.rechnung where id = ${final} and round(zahlbetrag * ${share}, 2) > 0;`
    const kind = random(5)
    if (kind === 0 || kind === 1) {
      script.push(rest(0.02, issued + random(40), 'skonto'))
      if (kind === 0) script.push(rest(0.98, issued + 40, 'zahlung'))
    }
    if (kind === 2) script.push(rest(0.3, issued + random(40), 'ausfall'))
    if (kind === 3) {
      const cancelled = issued + random(60)
      const back = groups.map((one) => ({ ...one, basis: `-${one.basis}`, steuer: `-${one.steuer}` }))
      const negative = { ...beleg, positionen: lines.map((one) => ({ ...one, betrag: `-${one.betrag}` })) }
      script.push(
        documentRow({
          id: id++,
          order,
          art: 'storno',
          datum: day(cancelled),
          groups: back,
          beleg: { ...negative, datum: day(cancelled) },
          advances: received(advances, -1),
          stornoOf: final,
        }),
      )
      if (random(2) === 0)
        script.push(
          documentRow({
            id: id++,
            order,
            art: 'schluss',
            datum: day(cancelled + random(20)),
            groups,
            beleg,
            advances: received(advances, 1),
            copyOf: final,
            days: supplied.map(day),
          }),
        )
    }
    return { id: order, script: script.join('\n'), isPlain: kind !== 2 }
  })
}
