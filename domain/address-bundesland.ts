// Which Bundesland a PLZ belongs to. The postal areas were drawn without regard to the Länder, so near a
// border a PLZ may belong to two; such a PLZ lists both.

import { BUNDESLAENDER, type Bundesland } from './bundeslaender.ts'

export { BUNDESLAENDER, type Bundesland }

/** Usual short forms, as in ISO 3166-2:DE. */
export const BUNDESLAND_OF_CODE: Readonly<Record<string, Bundesland>> = {
  BW: 'Baden-Württemberg',
  BY: 'Bayern',
  BE: 'Berlin',
  BB: 'Brandenburg',
  HB: 'Bremen',
  HH: 'Hamburg',
  HE: 'Hessen',
  MV: 'Mecklenburg-Vorpommern',
  NI: 'Niedersachsen',
  NW: 'Nordrhein-Westfalen',
  RP: 'Rheinland-Pfalz',
  SL: 'Saarland',
  SN: 'Sachsen',
  ST: 'Sachsen-Anhalt',
  SH: 'Schleswig-Holstein',
  TH: 'Thüringen',
}

/**
 * First PLZ of each range and its Land, in ascending order; a range extends to the start of the next. Two
 * Länder joined by '/' mark a border area, which is never decided here. '-' marks numbers not assigned in
 * Germany (Kleinwalsertal's 87567 to 87569, and those before 01001).
 */
const STRETCHES = `
00000- 01001SN 01941BB 02601SN 03001BB 04001SN 04581TH 04641SN 04891BB 04939- 06001ST 06551TH 06579ST
07301TH 07919SN/TH 07920TH 07951SN 07952SN/TH 07953TH 07982SN/TH 07986TH 08001SN 10001BE 12529BB 12530BE
14401BB 14715BB/ST 14716BB 17001MV 17258BB/MV 17261BB 17301MV 17309BB/MV 17310MV 17321BB/MV 17322MV
17326BB 17328MV 17335BB/MV 17348MV 19271MV/NI 19274MV 19307BB 19357BB/MV 19358MV 20001HH 21039HH/SH
21040HH 21202NI 21451SH 21522NI 21524SH 21601NI 22001HH 22113HH/SH 22114HH 22145HH/SH 22146HH 22801SH
23921MV 24001SH 26001NI 27483SH 27499HH 27501HB 27607NI 28001HB 28784NI 29401ST 29431NI 32001NW 34001HE
34331NI 34355HE/NI 34356HE 34401NW 34441HE 36401TH 37001NI 37194HE/NI 37196NI 37201HE 37301TH 37401NI
37651NW 37689NI 37692NW 37697NI 38481ST 38501NI 38801ST 40001NW 48442NI 48466NW 48478NI 48481NW 48486NI
48489NW 48497NI 48541NW 49001NI 49461NW 49551NI 50101NW 51598NW/RP 51601NW 53401RP 53581NW 53614RP 53621NW
54181RP 55240HE 55253RP 57001NW 57501RP 58001NW 59969HE/NW 60001HE 63701BY 63776BY/HE 63777BY 63928BW/BY
63929BY 64201HE 64754BW/HE 64755HE 65326HE/RP 65327HE 65391HE/RP 65392HE 65558RP 65583HE 65621RP 65627HE
65628RP 65701HE 66001SL 66461RP 66511SL 66841RP 68001BW 68501HE 68520BW 68601HE 68701BW 69235HE 69239BW/HE
69240BW 69412BW/HE 69413BW 69430HE 69434BW/HE 69435BW 69479HE 69488BW/HE 69489BW 69503HE 69510BW 69515HE
70001BW 74594BW/BY 74595BW 76711RP 77601BW 80001BY 87567- 87571BY 88001BW 88101BY 88147BW/BY 88148BY
88181BW 89087BW/BY 89088BW 89201BY 89501BW 90001BY 96501TH 96601BY 97861BW 97888BY 97893BW 97896BW/BY
97897BW 97901BY 97911BW 98501TH 99999-`

interface Stretch {
  readonly from: string
  readonly laender: readonly Bundesland[]
}
const TABLE: readonly Stretch[] = STRETCHES.trim()
  .split(/\s+/)
  .map((entry) => {
    const codes = entry.slice(5)
    return {
      from: entry.slice(0, 5),
      laender: codes === '-' ? [] : codes.split('/').map((code) => BUNDESLAND_OF_CODE[code]!),
    }
  })

/** The Länder a PLZ may belong to: usually one, two near a border, none if it is not a German PLZ. */
export function bundeslaenderOf(plz: string): readonly Bundesland[] {
  if (!/^[0-9]{5}$/.test(plz)) return []
  return TABLE.findLast(({ from }) => from <= plz)?.laender ?? []
}

/** The Länder of a PLZ if the chosen one is not among them; none if it fits or one of the two is unknown. */
export function otherBundeslaender(plz: string, land: string): readonly Bundesland[] {
  const states = bundeslaenderOf(plz.trim())
  return land === '' || states.some((one) => one === land) ? [] : states
}

/** The Bundesland of a PLZ, or null if it is not certain. */
export function bundeslandOf(plz: string): Bundesland | null {
  const states = bundeslaenderOf(plz)
  return states.length === 1 ? states[0]! : null
}

/** UTM zone in which the surveying offices of a Land keep their data (ETRS89/UTM 32 or 33). */
export const epsgOf = (land: string | null): 25832 | 25833 =>
  land !== null && ['Berlin', 'Brandenburg', 'Mecklenburg-Vorpommern', 'Sachsen'].includes(land)
    ? 25833
    : 25832
