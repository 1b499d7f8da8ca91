// Templates of positions and text blocks: what makes each valid. db/nouns/template.sql has the same limits.
import {
  type Decimal,
  type NumberInputFault,
  decimal,
  formatDecimal,
  parseNumberInput,
  roundTo,
} from './geld.ts'
import { TEXT_MODULE_KINDS, type TextModuleKind } from './text-module.ts'
import { unknownPlaceholders } from './placeholders.ts'

export const TEMPLATE_LONGEST = { gruppe: 60, bez: 200, einheit: 20, erl_titel: 200, erl: 4000 } as const
export const TEXT_MODULE_LONGEST = { titel: 100, text: 6000 } as const

const oneLine = (text: string): string => text.replaceAll(/[\p{Cc}\s]+/gu, ' ').trim()
/** Keeps line feeds and tabs; other control characters come from pasting and are removed. */
const lines = (text: string): string => text.replaceAll(/\r\n?/g, '\n').replaceAll(/[^\P{Cc}\n\t]/gu, '')
const length = (text: string): number => Array.from(text).length

export interface TemplateInput {
  readonly gruppe: string
  readonly bez: string
  readonly einheit: string
  readonly ep: string
  /** Empty: the rate of the document. */
  readonly ust_satz: string
  readonly erl_titel: string
  readonly erl: string
}
export interface TemplateValues {
  readonly gruppe: string | null
  readonly bez: string
  readonly einheit: string
  readonly ep: string
  readonly ust_satz: string | null
  readonly erl_titel: string
  readonly erl: string
}
export type TemplateFault = NumberInputFault | 'zu_lang' | 'satz'

export function checkTemplate(
  input: TemplateInput,
):
  | { readonly values: TemplateValues }
  | { readonly faults: Partial<Record<keyof TemplateInput, TemplateFault>> } {
  const faults: Partial<Record<keyof TemplateInput, TemplateFault>> = {}
  const texts = {
    gruppe: oneLine(input.gruppe),
    bez: oneLine(input.bez),
    einheit: oneLine(input.einheit),
    erl_titel: oneLine(input.erl_titel),
    erl: lines(input.erl),
  }
  for (const field of ['bez', 'einheit'] as const) if (texts[field] === '') faults[field] = 'fehlt'
  for (const [field, longest] of Object.entries(TEMPLATE_LONGEST) as [keyof typeof texts, number][])
    if (length(texts[field]) > longest) faults[field] = 'zu_lang'
  const price = parseNumberInput(input.ep, { decimals: 4, integerDigits: 10, allowNegative: true })
  if (typeof price === 'string') faults.ep = price
  const rate =
    input.ust_satz.trim() === '' ? null : parseNumberInput(input.ust_satz, { decimals: 2, integerDigits: 3 })
  if (typeof rate === 'string') faults.ust_satz = rate
  else if (rate !== null && rate.wert > 9900n) faults.ust_satz = 'satz'
  if (Object.keys(faults).length > 0) return { faults }
  return {
    values: {
      ...texts,
      gruppe: texts.gruppe || null,
      ep: formatDecimal(price as Decimal),
      ust_satz: rate === null ? null : formatDecimal(rate as Decimal),
    },
  }
}

/** Unit prices for display: at least two places, at most four. */
export const pricePlaces = { atLeast: 2, atMost: 4 } as const
/** A stored price as the field shows it: "0.8500" → 0.85, without zeros that nobody typed. */
export const priceOf = (text: string): Decimal => roundTo(decimal(text), 4)

export interface TextModuleInput {
  readonly art: string
  readonly titel: string
  readonly text: string
}
export interface TextModuleValues {
  readonly art: TextModuleKind
  readonly titel: string
  readonly text: string
}
export type TextModuleFault = 'fehlt' | 'zu_lang' | 'art' | { readonly unbekannt: readonly string[] }

export function checkTextModule(
  input: TextModuleInput,
):
  | { readonly values: TextModuleValues }
  | { readonly faults: Partial<Record<keyof TextModuleInput, TextModuleFault>> } {
  const faults: Partial<Record<keyof TextModuleInput, TextModuleFault>> = {}
  const art = TEXT_MODULE_KINDS.find((one) => one === input.art)
  const title = oneLine(input.titel)
  const text = lines(input.text)
  const unknown = unknownPlaceholders(text)
  if (art === undefined) faults.art = 'art'
  if (title === '') faults.titel = 'fehlt'
  else if (length(title) > TEXT_MODULE_LONGEST.titel) faults.titel = 'zu_lang'
  if (text.trim() === '') faults.text = 'fehlt'
  else if (length(text) > TEXT_MODULE_LONGEST.text) faults.text = 'zu_lang'
  else if (unknown.length > 0) faults.text = { unbekannt: unknown }
  if (Object.keys(faults).length > 0) return { faults }
  return { values: { art: art!, titel: title, text } }
}
