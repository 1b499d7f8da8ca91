// Templates of positions and text blocks: what each must be. The same bounds stand in db/nouns/vorlage.sql.
import { type Dezimal, type EingabeFault, dezimal, formatDezimal, parseEingabe, roundTo } from './geld.ts'
import { FREITEXT_ARTEN, type FreitextArt } from './freitext.ts'
import { unknownPlatzhalter } from './platzhalter.ts'

export const VORLAGE_LAENGSTE = { gruppe: 60, bez: 200, einheit: 20, erl_titel: 200, erl: 4000 } as const
export const FREITEXT_LAENGSTE = { titel: 100, text: 6000 } as const

const oneLine = (text: string): string => text.replaceAll(/[\p{Cc}\s]+/gu, ' ').trim()
/** Line feeds and tabs stay; other control characters come from pasting and go. */
const lines = (text: string): string => text.replaceAll(/\r\n?/g, '\n').replaceAll(/[^\P{Cc}\n\t]/gu, '')
const length = (text: string): number => Array.from(text).length

export interface VorlageEingabe {
  readonly gruppe: string
  readonly bez: string
  readonly einheit: string
  readonly ep: string
  /** Empty: the rate of the document. */
  readonly ust_satz: string
  readonly erl_titel: string
  readonly erl: string
}
export interface VorlageWerte {
  readonly gruppe: string | null
  readonly bez: string
  readonly einheit: string
  readonly ep: string
  readonly ust_satz: string | null
  readonly erl_titel: string
  readonly erl: string
}
export type VorlageFault = EingabeFault | 'zu_lang' | 'satz'

export function checkVorlage(
  input: VorlageEingabe,
): { readonly values: VorlageWerte } | { readonly faults: Partial<Record<keyof VorlageEingabe, VorlageFault>> } {
  const faults: Partial<Record<keyof VorlageEingabe, VorlageFault>> = {}
  const texts = {
    gruppe: oneLine(input.gruppe),
    bez: oneLine(input.bez),
    einheit: oneLine(input.einheit),
    erl_titel: oneLine(input.erl_titel),
    erl: lines(input.erl),
  }
  for (const field of ['bez', 'einheit'] as const) if (texts[field] === '') faults[field] = 'fehlt'
  for (const [field, longest] of Object.entries(VORLAGE_LAENGSTE) as [keyof typeof texts, number][])
    if (length(texts[field]) > longest) faults[field] = 'zu_lang'
  const price = parseEingabe(input.ep, { stellen: 4, vorkomma: 10, negativ: true })
  if (typeof price === 'string') faults.ep = price
  const rate = input.ust_satz.trim() === '' ? null : parseEingabe(input.ust_satz, { stellen: 2, vorkomma: 3 })
  if (typeof rate === 'string') faults.ust_satz = rate
  else if (rate !== null && rate.wert > 9900n) faults.ust_satz = 'satz'
  if (Object.keys(faults).length > 0) return { faults }
  return {
    values: {
      ...texts,
      gruppe: texts.gruppe || null,
      ep: formatDezimal(price as Dezimal),
      ust_satz: rate === null ? null : formatDezimal(rate as Dezimal),
    },
  }
}

/** Unit prices as they are read: two places at least, four at most. */
export const preisStellen = { mindestens: 2, hoechstens: 4 } as const
/** As the field shows what is stored: "0.8500" → 0.85, without zeros that nobody typed. */
export const preis = (text: string): Dezimal => roundTo(dezimal(text), 4)

export interface FreitextEingabe {
  readonly art: string
  readonly titel: string
  readonly text: string
}
export interface FreitextWerte {
  readonly art: FreitextArt
  readonly titel: string
  readonly text: string
}
export type FreitextFault = 'fehlt' | 'zu_lang' | 'art' | { readonly unbekannt: readonly string[] }

export function checkFreitext(
  input: FreitextEingabe,
): { readonly values: FreitextWerte } | { readonly faults: Partial<Record<keyof FreitextEingabe, FreitextFault>> } {
  const faults: Partial<Record<keyof FreitextEingabe, FreitextFault>> = {}
  const art = FREITEXT_ARTEN.find((one) => one === input.art)
  const titel = oneLine(input.titel)
  const text = lines(input.text)
  const unknown = unknownPlatzhalter(text)
  if (art === undefined) faults.art = 'art'
  if (titel === '') faults.titel = 'fehlt'
  else if (length(titel) > FREITEXT_LAENGSTE.titel) faults.titel = 'zu_lang'
  if (text.trim() === '') faults.text = 'fehlt'
  else if (length(text) > FREITEXT_LAENGSTE.text) faults.text = 'zu_lang'
  else if (unknown.length > 0) faults.text = { unbekannt: unknown }
  if (Object.keys(faults).length > 0) return { faults }
  return { values: { art: art!, titel, text } }
}
