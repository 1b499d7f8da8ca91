// A report of habitat trees as the texts of its pages: the template only places them. Nothing in it is markup,
// whatever people have typed into their records.
import { REPORT_MOST_TREES } from '#contract/habitat-report.ts'
import { epsgName } from '#domain/epsg.ts'
import { kindName } from '#domain/habitat/species.ts'
import { setLine } from '#domain/typeset-text.ts'
import { germanDay } from '#domain/day.ts'
import type { Pair, Photo, ReportData } from './report-document.ts'
import type { ReportPicture, ReportTree, Material } from './report-material.ts'
import {
  distribution,
  evidenceOf,
  formsOf,
  karten,
  numbersOf,
  rowOf,
  senderLines,
  treeLabel,
  treesText,
  figure,
} from './report-parts.ts'

export interface PrintablePicture extends ReportPicture {
  readonly filePath: string
}
export interface ReportChoice {
  readonly material: Material
  /** What narrowed the choice, in words. */
  readonly filter: readonly string[]
  /** Photos that can be printed. */
  readonly bilder: readonly PrintablePicture[]
  /** Number of photos that were requested; null: none. */
  readonly gefragt: number | null
  readonly logo: string | null
  /** The reference date of an evidence. */
  readonly stichtag: string | null
  /** Which part of the list: an evidence with very many trees is split into several files. */
  readonly teil: { readonly nr: number; readonly von: number }
}

export function reportData(choice: ReportChoice): ReportData {
  const { material, bilder, gefragt, logo, stichtag, teil } = choice
  const { kopf, baeume, kawm } = material
  const title = titleOf(choice)
  const isFirst = teil.nr === 1
  const withPhoto = gefragt === null ? null : new Set(bilder.map(({ habitat_id }) => habitat_id)).size
  const stand = `Stand ${setLine(kopf.zeit)} Uhr`
  return {
    pdf: pdfOf(choice, title),
    logo,
    ...partiesOf(material),
    titel: title,
    untertitel: setLine(kopf.sHQ),
    stand,
    folgekopf: `${title} · ${setLine(kopf.sHQ)}${stichtag === null ? '' : ` · Stichtag ${germanDay(stichtag)}`}`,
    info: infoOf(choice),
    nachweis: isFirst && kawm !== null ? evidenceOf(kawm) : null,
    zahlen: isFirst ? numbersOf(baeume, withPhoto) : [],
    verteilungen: isFirst ? distributionsOf(baeume) : [],
    hinweise: gefragt === null ? [] : missingPhotos(gefragt - bilder.length),
    karten: isFirst ? karten(material) : [],
    listen: baeume.length === 0 ? [] : [listOf(material, teil)],
    fotos: photosOf(choice),
  }
}

function titleOf({ stichtag, teil }: ReportChoice): string {
  const title = stichtag === null ? 'Habitatbäume' : 'KAWM-Nachweis: Habitatbäume'
  return teil.von === 1 ? title : `${title}, Teil ${teil.nr} von ${teil.von}`
}

function pdfOf({ material: { kopf }, stichtag }: ReportChoice, title: string): ReportData['pdf'] {
  const betrieb = setLine(kopf.sHQ)
  const author = setLine(kopf.wer ?? '')
  const [year, month, day] = kopf.heute.split('-').map(Number)
  return {
    pdf_titel: `${title} – ${betrieb}`,
    autor: author === '' ? betrieb : author,
    beschreibung: `${title} von ${betrieb}, Stand ${setLine(kopf.zeit)} Uhr`,
    stichworte: ['Habitatbäume', ...(stichtag === null ? [] : ['KAWM'])],
    tag: [year!, month!, day!],
  }
}

/** Who sends the report, for whom, and who made it. */
function partiesOf({ kopf }: Material): Pick<ReportData, 'absender' | 'kunde' | 'fuss'> {
  const { kunde, firma } = kopf
  const name = firma === null ? '' : setLine(firma.name)
  const author = setLine(kopf.wer ?? '')
  return {
    absender: { name, zeilen: firma === null ? [] : senderLines(firma) },
    kunde: [kunde.name, kunde.name_zusatz ?? '', kunde.strasse, `${kunde.plz} ${kunde.ort}`]
      .map(setLine)
      .filter((line) => line !== ''),
    fuss: [name, author === '' ? '' : `erstellt von ${author}`].filter((part) => part !== '').join(' · '),
  }
}

const namedList = (texts: readonly string[]): string =>
  texts
    .map(setLine)
    .filter((text) => text !== '')
    .join('; ')

function infoOf({ material, filter, stichtag }: ReportChoice): Pair[] {
  const { kopf, epsg, baeume, total } = material
  const selection =
    stichtag !== null
      ? 'alle Bäume der Förderung zum Stichtag'
      : baeume.length === total
        ? `alle ${figure(total)} Bäume des Betriebs`
        : `${figure(baeume.length)} von ${treesText(total)} des Betriebs`
  const pairs: Pair[] = [
    ['Forstbetrieb', `${setLine(kopf.sHQ)} (Nr. ${kopf.idHQ})`],
    ['Stichtag', stichtag === null ? '' : germanDay(stichtag)],
    ['Erstellt am', `${setLine(kopf.zeit)} Uhr`],
    ['Erstellt von', setLine(kopf.wer ?? '')],
    ['Auswahl', selection],
    ['Filter', namedList(filter)],
    [
      'Koordinaten',
      `EPSG ${epsgName(epsg).replace(/^EPSG /, '')} und WGS 84` +
        (epsg === kopf.epsg
          ? ''
          : ` (EPSG ${kopf.epsg} des Kunden hat keine Meter oder ist hier nicht umzurechnen)`),
    ],
    ['Forsteinrichtung', kopf.dtFE === null ? '' : `Stichtag ${germanDay(kopf.dtFE)}`],
  ]
  return pairs.filter(([, wert]) => wert !== '')
}

function distributionsOf(trees: readonly ReportTree[]): ReportData['verteilungen'] {
  const species = trees.map(({ art, art_text }) => kindName(art, art_text))
  return [
    distribution('Baumart', species, 10, trees.length),
    distribution('Strukturen (Form)', trees.flatMap(formsOf), 10, trees.length),
  ].filter((one) => one !== null)
}

function missingPhotos(count: number): string[] {
  if (count <= 0) return []
  return [
    count === 1
      ? '1 Foto fehlt, weil es noch nicht verarbeitet ist oder sich nicht lesen ließ.'
      : `${figure(count)} Fotos fehlen, weil sie noch nicht verarbeitet sind oder sich nicht lesen ließen.`,
  ]
}

function listOf(
  { baeume, epsg, kopf }: Material,
  { nr, von }: ReportChoice['teil'],
): ReportData['listen'][number] {
  const [from, to] = [(nr - 1) * REPORT_MOST_TREES, Math.min(baeume.length, nr * REPORT_MOST_TREES)]
  return {
    titel:
      von === 1
        ? `Liste der Bäume (${figure(baeume.length)})`
        : `Liste der Bäume ${figure(from + 1)} bis ${figure(to)} von ${figure(baeume.length)}`,
    system: `EPSG ${epsg}`,
    zeilen: baeume.slice(from, to).map((tree, index) => rowOf(tree, from + index, kopf)),
  }
}

/** In the order of the trees. */
function photosOf({ material: { baeume }, bilder }: ReportChoice): Photo[] {
  const at = new Map(baeume.map((tree, index) => [tree.id, index]))
  const sorted = bilder.toSorted((a, b) => at.get(a.habitat_id)! - at.get(b.habitat_id)! || 0)
  return sorted.map(({ filePath, habitat_id, aufgenommen, bemerkung }) => {
    const index = at.get(habitat_id)!
    const tree = baeume[index]!
    const art = setLine(kindName(tree.art, tree.art_text))
    const name = tree.nummer === null ? art : `${setLine(tree.nummer)} · ${art}`
    const datum = aufgenommen === null ? 'ohne Aufnahmedatum' : `aufgenommen am ${aufgenommen}`
    const text = bemerkung === null ? '' : setLine(bemerkung)
    return {
      bild: filePath,
      alt: `Foto von Baum ${name}, ${datum}`,
      titel: tree.nummer === null ? `${art} ${treeLabel(tree, index)}` : name,
      zeile: [datum, text].filter((part) => part !== '').join(' · '),
    }
  })
}
