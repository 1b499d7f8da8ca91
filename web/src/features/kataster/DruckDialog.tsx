// A sheet of paper made of the map: scale, format, title; and the PDF that comes out of it, with legend, scale bar, north and whose maps it shows.
import { useMutation } from '@tanstack/react-query'
import type OlMap from 'ol/Map.js'
import { useState } from 'react'
import { type Objektart, VERMESSEN, type VermessenWort } from '#contract/kataster-kachel.ts'
import {
  type Blatt,
  blattmass,
  BLAETTER,
  bodenJeEinheit,
  kartenbild,
  type Lage,
  MASSSTAEBE,
  massstabsleiste,
} from '../../karte/druck-mass.ts'
import type { Druckbild } from '../../karte/druck-bild.ts'
import type { PdfSeite } from '../../karte/pdf.ts'
import { artWords } from '../../record/kataster/kataster-words.ts'
import { Button } from '../../ui/Button.tsx'
import { Segments } from '../../ui/Choice.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { Notice } from '../../ui/Display.tsx'
import { SelectField, TextField } from '../../ui/Field.tsx'
import { formatDate, formatNumber } from '../../ui/format.ts'
import { saveFile } from '../../ui/export/cells.ts'
import { t } from '../../ui/text.ts'
import { today } from '../../ui/today.ts'
import type { KatasterKunde } from './kataster.data.ts'
import { vermessenText } from './kataster-words.ts'
import { ECKEN, FARBEN, STRICH } from './zeichen.ts'

interface Props {
  kunde: KatasterKunde
  map: OlMap
  /** Kinds that are shown. */
  arten: readonly Objektart[]
  /** Of the base map. */
  quelle: string | null
  onClose: () => void
}

/** Pixels per pixel of the screen: about 200 dots per inch, on A3 150. */
const DICHTE: Readonly<Record<Blatt, number>> = { a4: 200 / 96, a3: 150 / 96 }

/** The largest scale that shows what is on the screen now. */
function passend(map: OlMap, karte: { readonly breite: number; readonly hoehe: number }): number {
  const [west = 0, south = 0, east = 0, north = 0] = map.getView().calculateExtent(map.getSize())
  const [ost, nord] = bodenJeEinheit((south + north) / 2)
  const need = Math.min(((east - west) * ost * 1000) / karte.breite, ((north - south) * nord * 1000) / karte.hoehe)
  return MASSSTAEBE.find((massstab) => massstab >= need) ?? MASSSTAEBE.at(-1)!
}

export function DruckDialog({ kunde, map, arten, quelle, onClose }: Props) {
  const [blatt, setBlatt] = useState<Blatt>('a4')
  const [lage, setLage] = useState<Lage>('quer')
  const [massstab, setMassstab] = useState(() => passend(map, blattmass('a4', 'quer').karte))
  const [titel, setTitel] = useState(() => t('Vermessung {name}', { name: kunde.name }))
  const mass = blattmass(blatt, lage)
  const drucken = useMutation({
    mutationFn: async () => {
      const [{ druckbild }, { PdfSeite: Seite }] = await Promise.all([import('../../karte/druck-bild.ts'), import('../../karte/pdf.ts')])
      const [x = 0, y = 0] = map.getView().getCenter() ?? []
      const lageAufBlatt = kartenbild(mass.karte, massstab, [x, y])
      const bild = await druckbild(map, lageAufBlatt, [x, y], DICHTE[blatt])
      const seite = new Seite(mass.breite, mass.hoehe)
      zeichne(seite, { mass, massstab, titel, bild, bildLage: lageAufBlatt.lage, arten, quelle, kunde })
      save(seite.schreibe({ titel, erzeugt: new Date() }), `${titel.replaceAll(/[^\p{L}\p{N}]+/gu, '-').slice(0, 60)}-1-${massstab}.pdf`)
    },
    onSuccess: onClose,
  })
  const [width, height] = [(mass.karte.breite * massstab) / 1000, (mass.karte.hoehe * massstab) / 1000]
  return (
    <Dialog
      open
      onClose={onClose}
      title={t('Karte als PDF')}
      footer={
        <>
          <Button onClick={onClose}>{t('Abbrechen')}</Button>
          <Button variant="primary" icon="download" busy={drucken.isPending} onClick={() => drucken.mutate()}>
            {t('PDF erstellen')}
          </Button>
        </>
      }
    >
      <div className="stack">
        <TextField label={t('Titel')} value={titel} maxLength={80} onChange={({ target }) => setTitel(target.value)} />
        <Segments
          label={t('Blatt')}
          value={blatt}
          options={(Object.keys(BLAETTER) as Blatt[]).map((value) => ({ value, label: value.toUpperCase() }))}
          onChange={setBlatt}
        />
        <Segments
          label={t('Ausrichtung')}
          value={lage}
          options={[
            { value: 'quer', label: t('quer') },
            { value: 'hoch', label: t('hoch') },
          ]}
          onChange={setLage}
        />
        <SelectField
          label={t('Maßstab')}
          value={String(massstab)}
          options={MASSSTAEBE.map((value) => ({ value: String(value), label: `1 : ${formatNumber(value)}` }))}
          onChange={({ target }) => setMassstab(Number(target.value))}
          hint={t('Das Blatt zeigt {b} × {h} m rund um die Mitte der Karte.', {
            b: formatNumber(Math.round(width)),
            h: formatNumber(Math.round(height)),
          })}
        />
        <p className="soft">{t('Der Maßstab stimmt, wenn der Drucker nicht verkleinert: „Tatsächliche Größe“ wählen.')}</p>
        {drucken.isError && (
          <Notice tone="danger" title={t('Die Karte wurde nicht fertig')}>
            {t('Ein Teil der Karte ist nicht rechtzeitig angekommen. Bitte versuchen Sie es noch einmal oder ohne Grundkarte.')}
          </Notice>
        )}
      </div>
    </Dialog>
  )
}

const save = (bytes: Uint8Array<ArrayBuffer>, name: string) => saveFile(new Blob([bytes], { type: 'application/pdf' }), name)

interface Blattinhalt {
  readonly mass: ReturnType<typeof blattmass>
  readonly massstab: number
  readonly titel: string
  readonly bild: Druckbild
  readonly bildLage: { readonly x: number; readonly y: number; readonly breite: number; readonly hoehe: number }
  readonly arten: readonly Objektart[]
  readonly quelle: string | null
  readonly kunde: KatasterKunde
}

const SCHWARZ = '#111111'
const GRAU = '#555555'

function zeichne(seite: PdfSeite, { mass, massstab, titel, bild, bildLage, arten, quelle, kunde }: Blattinhalt) {
  const { karte, fuss } = mass
  seite.bild({ ...bildLage, ...bild, rahmen: karte })
  seite.rechteck(karte, { linie: SCHWARZ, breite: 0.35 })
  seite.text([karte.x, karte.y - 6.5], titel, { groesse: 15, fett: true })
  seite.text([karte.x, karte.y - 2], [kunde.name, kunde.ort, kunde.bundesland].filter(Boolean).join(', '), { farbe: GRAU })
  nordpfeil(seite, karte.x + karte.breite - 9, karte.y + 16)
  const leiste = massstabsleiste(massstab, fuss.breite / 3)
  const rechts = fuss.x + fuss.breite - (leiste * 1000) / massstab - 16
  seite.text([rechts, fuss.y + 6], `${t('Maßstab')} 1 : ${formatNumber(massstab)}`, { groesse: 11, fett: true })
  leisteZeichnen(seite, rechts, fuss.y + 10, massstab, leiste)
  seite.text([rechts, fuss.y + 24], t('Stand {tag}', { tag: formatDate(today()) }), { groesse: 8, farbe: GRAU })
  legende(seite, fuss.x, fuss.y + 5, rechts - fuss.x - 6, arten)
  const unten = [quelle === null ? null : `${t('Grundkarte')}: ${quelle}`, t('Web-Mercator, in der Mitte des Blattes maßstäblich')]
  seite.text([fuss.x, fuss.y + fuss.hoehe], unten.filter(Boolean).join(' · '), { groesse: 7, farbe: GRAU })
}

function leisteZeichnen(seite: PdfSeite, x: number, y: number, massstab: number, meter: number) {
  const part = (meter * 1000) / massstab / 4
  for (const nr of [0, 1, 2, 3])
    seite.rechteck(
      { x: x + nr * part, y, breite: part, hoehe: 2 },
      { linie: SCHWARZ, breite: 0.2, fuellung: nr % 2 === 0 ? SCHWARZ : '#ffffff' },
    )
  for (const nr of [0, 2, 4]) seite.text([x + nr * part - 1, y + 6], formatNumber((meter * nr) / 4), { groesse: 8 })
  seite.text([x + 4 * part + 9, y + 6], 'm', { groesse: 8 })
}

function nordpfeil(seite: PdfSeite, x: number, y: number) {
  seite.kreis([x, y - 5], 7.5, { fuellung: '#ffffff', linie: SCHWARZ, breite: 0.2 })
  seite.vieleck(
    [
      [x, y - 11],
      [x + 2.4, y - 2],
      [x, y - 4],
    ],
    { fuellung: SCHWARZ, linie: SCHWARZ },
  )
  seite.vieleck(
    [
      [x, y - 11],
      [x - 2.4, y - 2],
      [x, y - 4],
    ],
    { fuellung: '#ffffff', linie: SCHWARZ },
  )
  seite.text([x - 1.1, y + 1], 'N', { groesse: 9, fett: true })
}

interface Eintrag {
  readonly art: Objektart
  readonly wort: VermessenWort
  readonly text: string
}

function legende(seite: PdfSeite, x: number, y: number, breite: number, arten: readonly Objektart[]) {
  const eintraege = arten.flatMap((art): Eintrag[] =>
    art === 'draenage'
      ? VERMESSEN.map((wort) => ({ art, wort, text: `${artWords(art).one}, ${vermessenText(wort)}` }))
      : [{ art, wort: 'ja' as const, text: artWords(art).one }],
  )
  const wide = 46
  const columns = Math.max(1, Math.floor(breite / wide))
  const rows = Math.ceil(eintraege.length / columns)
  for (const [nr, { art, wort, text }] of eintraege.entries()) {
    const [left, top] = [x + Math.floor(nr / rows) * wide, y + (nr % rows) * 5.2]
    const look = { fuellung: FARBEN.ja, linie: FARBEN.ja, breite: 0.2 }
    if (art === 'draenage')
      seite.linie([left, top - 1], [left + 8, top - 1], {
        linie: FARBEN[wort],
        breite: 0.65,
        strich: STRICH[wort].map((part) => part / 3.8),
      })
    else {
      const corners = ECKEN[art]
      if (corners === 'kreis') seite.kreis([left + 4, top - 1], 1.5, look)
      else
        seite.vieleck(
          corners.map(([dx, dy]) => [left + 4 + dx * 1.6, top - 1 + dy * 1.6] as const),
          look,
        )
    }
    seite.text([left + 10, top], text, { groesse: 8 })
  }
  if (eintraege.some(({ art }) => art !== 'draenage'))
    seite.text([x, y + rows * 5.2 + 0.5], t('Zeichen gefüllt: vermessen; hohl: vermutet oder ohne Angabe'), { groesse: 7, farbe: GRAU })
}
