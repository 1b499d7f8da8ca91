// What is chosen of an issued invoice for a correction, and what that correction would come to. Pure.
import type { KorrekturState, KorrekturWish } from '#contract/buchhaltung.ts'
import type { BelegSums } from '#domain/beleg.ts'
import {
  decimal,
  formatAmount,
  formatDecimal,
  formatEuro,
  formatGerman,
  parseNumberInput,
  sign,
} from '#domain/geld.ts'
import {
  type KorrekturFault,
  type KorrekturLine,
  type KorrekturWay,
  korrekturLine,
  korrekturSums,
} from '#domain/korrektur.ts'
import { belegSums } from '#domain/rechnung.ts'
import { type Checked, unlessFaulty } from '../../../../record/dialog-form.ts'
import { formatDate } from '../../../../ui/format.ts'
import { dayExpected, parseDay } from '../../../../ui/parse-day.ts'
import { t } from '../../../../ui/text.ts'
import { numberFault } from '../../number-words.ts'

export type Original = KorrekturState['zeilen'][number]
export interface Chosen {
  readonly way: KorrekturWay
  readonly text: string
}
export interface KorrekturValues {
  readonly lines: Readonly<Record<string, Chosen>>
  readonly grund: string
  readonly rn_datum: string
}
/** What a draft holds already; nothing for a new one. */
export interface KorrekturDraft {
  readonly lines: readonly {
    readonly position_id: number
    readonly menge: string | null
    readonly preis: string | null
    readonly betrag: string | null
  }[]
  readonly grund: string
  readonly rn_datum: string
}

const PLACES: Readonly<Record<KorrekturWay, number>> = { menge: 3, preis: 4, betrag: 2 }
const NOTHING: Chosen = { way: 'menge', text: '' }
/** What has an amount left can be corrected. */
export const isLeft = ({ rest_betrag }: Original): boolean => sign(decimal(rest_betrag)) > 0

export const startKorrektur = (state: KorrekturState, draft: KorrekturDraft): KorrekturValues => ({
  lines: Object.fromEntries(
    state.zeilen.map(({ position_id }) => {
      const own = draft.lines.find((line) => String(line.position_id) === position_id)
      const way = (['menge', 'preis', 'betrag'] as const).find((each) => own?.[each] != null)
      return [
        position_id,
        way === undefined ? NOTHING : { way, text: formatGerman(decimal(own![way]!)) },
      ] as const
    }),
  ),
  grund: draft.grund,
  rn_datum: formatDate(draft.rn_datum),
})

export const allThatIsLeft = (lines: readonly Original[]): KorrekturValues['lines'] =>
  Object.fromEntries(
    lines.map((line) => [
      line.position_id,
      !isLeft(line)
        ? NOTHING
        : sign(decimal(line.rest_menge)) > 0
          ? { way: 'menge', text: formatGerman(decimal(line.rest_menge)) }
          : { way: 'betrag', text: formatGerman(decimal(line.rest_betrag)) },
    ]),
  )
export const nothing = (lines: readonly Original[]): KorrekturValues['lines'] =>
  Object.fromEntries(lines.map(({ position_id }) => [position_id, NOTHING]))

function faultText(fault: KorrekturFault, { rest_menge, rest_betrag, einheit, ep }: Original): string {
  switch (fault) {
    case 'korrektur_null':
      return t('Bitte mehr als null eintragen, oder das Feld leeren.')
    case 'korrektur_menge':
      return t('Höchstens {menge}: Mehr ist von dieser Position nicht übrig.', {
        menge: `${formatGerman(decimal(rest_menge))} ${einheit}`.trim(),
      })
    case 'korrektur_preis':
      return t('Höchstens {preis}, und zusammen höchstens {betrag}.', {
        preis: formatEuro(ep),
        betrag: formatEuro(rest_betrag),
      })
    case 'korrektur_betrag':
      return t('Höchstens {betrag} netto: Mehr ist von dieser Position nicht übrig.', {
        betrag: formatEuro(rest_betrag),
      })
  }
}

export interface KorrekturChoice {
  readonly line: Original
  readonly fault: string | undefined
  /** As shown; empty if nothing is taken back. */
  readonly amount: string
  readonly wish: KorrekturWish | null
}
export interface KorrekturResult {
  readonly choices: readonly KorrekturChoice[]
  readonly wishes: readonly KorrekturWish[]
  readonly summen: BelegSums
}

function choiceOf(line: Original, { way, text }: Chosen): KorrekturChoice & { made: KorrekturLine | null } {
  const none = { line, fault: undefined, amount: '', wish: null, made: null }
  if (text.trim() === '') return none
  const value = parseNumberInput(text, { decimals: PLACES[way], integerDigits: 9 })
  if (typeof value === 'string') return { ...none, fault: numberFault(value, PLACES[way]) }
  const given = formatDecimal(value)
  const made = korrekturLine(line, way, given)
  return typeof made === 'string'
    ? { ...none, fault: faultText(made, line) }
    : {
        line,
        fault: undefined,
        amount: formatAmount(made.betrag),
        wish: { position_id: line.position_id, [way]: given },
        made,
      }
}

export function deriveKorrektur(state: KorrekturState, lines: KorrekturValues['lines']): KorrekturResult {
  const chosen = state.zeilen.map((line) => choiceOf(line, lines[line.position_id] ?? NOTHING))
  const sums = belegSums({
    positionen: chosen.flatMap(({ made, line: { kategorie, ust_satz } }) =>
      made === null ? [] : { ...made, art: 'position' as const, kategorie, ust_satz },
    ),
    rabatt_prozent: state.rabatt_prozent,
    ust_satz: '0.00',
    anzahlung: '0.00',
    // The lines have the category of the original.
    kleinunternehmer: false,
  })
  return {
    choices: chosen.map(({ line, fault, amount, wish }) => ({ line, fault, amount, wish })),
    wishes: chosen.flatMap(({ wish }) => wish ?? []),
    summen: korrekturSums(sums, state.steuern),
  }
}

export const lineName = ({ position_id }: Original): string => `zeile-${position_id}`

export interface KorrekturRequest {
  readonly zeilen: KorrekturWish[]
  readonly grund: string
  readonly rn_datum: string
}
export function checkKorrektur(
  { grund, rn_datum }: KorrekturValues,
  { choices, wishes, summen }: KorrekturResult,
): Checked<KorrekturRequest> {
  const day = parseDay(rn_datum)
  return unlessFaulty(
    { zeilen: [...wishes], grund: grund.trim(), rn_datum: day ?? '' },
    {
      ...Object.fromEntries(choices.map(({ line, fault }) => [lineName(line), fault])),
      zeilen:
        wishes.length === 0
          ? t('Bitte mindestens bei einer Position eintragen, was zurückgenommen wird.')
          : sign(decimal(summen.brutto)) >= 0
            ? t('Eine Korrektur mindert die Rechnung. Bitte die Positionen prüfen.')
            : undefined,
      rn_datum: day === null ? dayExpected() : undefined,
      grund:
        grund.trim() === '' ? t('Bitte den Grund angeben: Er steht auf der Rechnungskorrektur.') : undefined,
    },
  )
}
