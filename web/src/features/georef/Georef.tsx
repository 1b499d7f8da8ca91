// The georeferencer: the scan and the ground side by side, points in both, the scan laid over the ground while they are being set.
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react'
import type { Karte } from '#contract/karte.ts'
import { type KarteDatei, karteWege } from '#contract/karte-dateien.ts'
import { EPSG_SYSTEMS, epsgName } from '#domain/epsg.ts'
import { GEOREF_TYPEN, type GeorefTyp, MINDESTPUNKTE, type Passpunkt } from '#domain/georef/abbildung.ts'
import { vorhersageOf } from '#domain/georef/auswertung.ts'
import { benutzte, gespeichertes, type NeuerPunkt, type Punkt, type Stand, standOf, type Werte } from '#domain/georef/sitzung.ts'
import type { Umrechner } from '#domain/projektion.ts'
import type { FlaecheGriff } from '../../karte/Flaeche.tsx'
import { useGrundkarte } from '../../karte/grundkarten.data.ts'
import { KartenFlaeche } from '../../karte/KartenFlaeche.tsx'
import { Lupe } from '../../karte/Lupe.tsx'
import { ScanFlaeche, type ScanQuelle } from '../../karte/ScanFlaeche.tsx'
import { DraftOffer } from '../../record/DraftOffer.tsx'
import { useDraft } from '../../record/drafts.ts'
import { messageOf } from '../../record/record-faults.ts'
import { typNamen } from '../../karte/verfahren.ts'
import { Button, ButtonLink, IconButton } from '../../ui/Button.tsx'
import { Card, Notice } from '../../ui/Display.tsx'
import { SelectField, TextField } from '../../ui/Field.tsx'
import { formatNumber } from '../../ui/format.ts'
import { Icon } from '../../ui/Icon.tsx'
import { Menu } from '../../ui/Menu.tsx'
import { Page } from '../../ui/Page.tsx'
import { EmptyState } from '../../ui/States.tsx'
import { t } from '../../ui/text.ts'
import { toast } from '../../ui/toasts.ts'
import { useUnsavedChanges } from '../../ui/unsaved.ts'
import { useView } from '../../ui/view.tsx'
import { AufloesungFeld } from './AufloesungFeld.tsx'
import { bashOf, labelOf, saveBericht, savePunkteDatei, saveWeltdatei } from './ausgaben.ts'
import { Entzerren } from './Entzerren.tsx'
import './georef.css'
import { fetchGeoref, type GeorefRecord, savePunkte, standKey, vonTabelle } from './georef.data.ts'
import { istGrad, ortText, tatText, typMitPunkten } from './georef-words.ts'
import { Guete } from './Guete.tsx'
import { ImportDialog } from './ImportDialog.tsx'
import { KonfliktDialog } from './KonfliktDialog.tsx'
import { bestandLayer } from './ol-bestand.ts'
import { fangenAn } from './ol-fang.ts'
import { Auflage, loadScanBild } from './ol-auflage.ts'
import { ergebnisLayer } from './ol-ergebnis.ts'
import { type Ort, type PunktBild, PunktEbene, zeigeOrte } from './ol-punkte.ts'
import { PunktDialog } from './PunktDialog.tsx'
import { PunktTabelle, type PunktTaten } from './PunktTabelle.tsx'
import { useAuswertung } from './rechner.ts'
import { StaendeDialog } from './StaendeDialog.tsx'
import { useSitzung } from './use-sitzung.ts'

interface Props {
  record: GeorefRecord
  scan: KarteDatei | null
  ergebnis: KarteDatei | null
  umrechner: Umrechner
}

const werteOf = ({ georef_typ, epsg, res, georef_label }: Karte): Werte => ({
  typ: georef_typ ?? 'polynom1',
  epsg,
  res,
  label: georef_label,
})
const startOf = ({ karte, punkte }: GeorefRecord): Stand => standOf(werteOf(karte), punkte.map(vonTabelle))

/** Everything of a draft as one text: points make no sense by halves. */
interface Entwurf {
  readonly stand: string
}
function standOfEntwurf(text: string): { punkte: NeuerPunkt[]; werte: Werte } | null {
  try {
    const [punkte, typ, epsg, res, label] = JSON.parse(text) as [
      [number, number, number, number, boolean][],
      GeorefTyp,
      number,
      number | null,
      string | null,
    ]
    return {
      punkte: punkte.map(([ost, nord, spalte, zeile, enable]) => ({ ost, nord, spalte, zeile, enable })),
      werte: { typ, epsg, res, label },
    }
  } catch {
    return null
  }
}

/** Points are set to a thousandth of a pixel and a tenth of a millimetre; no hand is finer, and the figures can be read. */
const rounded = (value: number, places: number): number => Number(value.toFixed(places))
const rundePixel = (value: number): number => rounded(value, 3)
/** Closer than this a place that is jumped to is looked at: pixels of the scan, metres of the ground. */
const CLOSE_SCAN = 1
const CLOSE_MAP = 1

interface Rufe {
  readonly setzeScan: (ort: Ort) => void
  readonly setzeKarte: (ort: Ort) => void
  readonly zieheScan: (punkt: number, ort: Ort, zug: string) => void
  readonly zieheKarte: (punkt: number, ort: Ort, zug: string) => void
  readonly gehe: (punkt: number) => void
  readonly loesche: (ids: readonly number[]) => void
}
type Fenster = { art: 'punkt'; id: number | null } | { art: 'einlesen' } | { art: 'staende' } | null

export function Georef({ record, scan, ergebnis, umrechner }: Props) {
  const client = useQueryClient()
  const view = useView()
  const { karte } = record
  const id = String(karte.id)
  const [basis, setBasis] = useState(() => ({ version: karte.version, text: gespeichertes(startOf(record)) }))
  const { jetzt: stand, vergangen, zukunft, tu, zurueck, wieder } = useSitzung(() => startOf(record))
  const [gewaehlt, setGewaehlt] = useState<number | null>(null)
  const [setzt, setSetzt] = useState(record.punkte.length === 0)
  const [fenster, setFenster] = useState<Fenster>(null)
  const [saving, setSaving] = useState(false)
  const [fault, setFault] = useState<string | null>(null)
  const [konflikt, setKonflikt] = useState<GeorefRecord | null>(null)
  const [gesagt, setGesagt] = useState('')
  const [auf, setAuf] = useState({ an: true, deckung: 60, wischen: 100 })
  const [ergebnisAn, setErgebnisAn] = useState(false)
  const [bestandAn, setBestandAn] = useState(false)
  const [zeiger, setZeiger] = useState<{ wo: 'scan' | 'karte'; ort: Ort } | null>(null)

  const breite = scan?.breite ?? karte.width ?? Math.max(1, ...stand.punkte.map(({ spalte }) => spalte))
  const hoehe = scan?.hoehe ?? karte.height ?? Math.max(1, ...stand.punkte.map(({ zeile }) => zeile))
  const { auswertung, rechnet } = useAuswertung(stand.typ, stand.punkte, breite, hoehe)
  const spline = stand.typ === 'tps'
  const geht = umrechner.systeme.has(stand.epsg)
  const zuKarte = useMemo(() => (geht ? umrechner.umrechnung(stand.epsg, 3857) : null), [geht, umrechner, stand.epsg])
  const vonKarte = useMemo(() => (geht ? umrechner.umrechnung(3857, stand.epsg) : null), [geht, umrechner, stand.epsg])
  const kartenOrt = useCallback(
    ([x, y]: Ort) => {
      if (vonKarte === null) return null
      const [ost, nord] = vonKarte([x, y])
      const places = istGrad(stand.epsg) ? 9 : 4
      return { ost: rounded(ost, places), nord: rounded(nord, places) }
    },
    [vonKarte, stand.epsg],
  )

  // What is typed and not saved.
  const text = useMemo(() => gespeichertes(stand), [stand])
  const dirty = text !== basis.text
  const disarm = useUnsavedChanges(dirty || stand.halb !== null)
  const draft = useDraft<Entwurf>(`georef/${id}`, basis.version)
  const { keep, clear, settle } = draft
  useEffect(() => keep({ stand: text }, { stand: basis.text }), [keep, text, basis.text])

  // The two panes and what lies on them.
  const [scanFlaeche, setScanFlaeche] = useState<FlaecheGriff | null>(null)
  const [kartenFlaeche, setKartenFlaeche] = useState<FlaecheGriff | null>(null)
  const [scanEbene, setScanEbene] = useState<PunktEbene | null>(null)
  const [kartenEbene, setKartenEbene] = useState<PunktEbene | null>(null)
  const [auflage, setAuflage] = useState<Auflage | null>(null)
  const flaechen = useRef<HTMLDivElement>(null)
  const grund = useGrundkarte()

  const vorhersage = useMemo(() => vorhersageOf(stand.typ, benutzte(stand)), [stand])
  const gesucht = useMemo(() => {
    if (stand.halb === null || vorhersage === null) return { scan: null, karte: null }
    if (stand.halb.scan !== null) {
      const ort = vorhersage.zurKarte(stand.halb.scan.spalte, stand.halb.scan.zeile)
      return { scan: null, karte: zuKarte === null ? null : zuKarte(ort) }
    }
    const [spalte, zeile] = vorhersage.zumScan(stand.halb.karte.ost, stand.halb.karte.nord)
    return { scan: [spalte, -zeile] as const, karte: null }
  }, [stand.halb, vorhersage, zuKarte])

  const setzeScan = ([x, y]: Ort) => {
    const ort = { spalte: rundePixel(x), zeile: rundePixel(-y) }
    const whole = stand.halb?.karte != null
    tu({ art: 'scan', ort })
    if (whole) return gesetzt()
    setGewaehlt(null)
    setGesagt(t('Ort im Scan gesetzt. Jetzt denselben Ort auf der Karte.'))
    if (vorhersage?.sicher && zuKarte !== null) kartenEbene?.gehe(zuKarte(vorhersage.zurKarte(ort.spalte, ort.zeile)))
    return undefined
  }
  const setzeKarte = (ort: Ort) => {
    const place = kartenOrt(ort)
    if (place === null) return
    const whole = stand.halb?.scan != null
    tu({ art: 'karte', ort: place })
    if (whole) return gesetzt()
    setGewaehlt(null)
    setGesagt(t('Ort auf der Karte gesetzt. Jetzt denselben Ort im Scan.'))
    if (vorhersage?.sicher) {
      const [spalte, zeile] = vorhersage.zumScan(place.ost, place.nord)
      scanEbene?.gehe([spalte, -zeile])
    }
    return undefined
  }
  function gesetzt() {
    setGewaehlt(stand.naechste)
    setGesagt(t('Punkt {nr} gesetzt.', { nr: stand.punkte.length + 1 }))
  }
  const zieheScan = (punkt: number, [x, y]: Ort, zug: string) =>
    tu({ art: 'verschieben', id: punkt, ort: { spalte: rundePixel(x), zeile: rundePixel(-y) } }, zug)
  const zieheKarte = (punkt: number, ort: Ort, zug: string) => {
    const place = kartenOrt(ort)
    if (place !== null) tu({ art: 'verschieben', id: punkt, ort: place }, zug)
  }
  // The panes and the table are told once whom to call, and always call today's.
  const rufe = useRef<Rufe | null>(null)
  const bereitScan = (flaeche: FlaecheGriff) => {
    const ebene = new PunktEbene(flaeche.map, {
      setzen: (ort) => rufe.current?.setzeScan(ort),
      waehlen: setGewaehlt,
      ziehen: (...zug) => rufe.current?.zieheScan(...zug),
      zeigen: (ort) => setZeiger(ort === null ? null : { wo: 'scan', ort }),
      fangen: (ort) => ort,
    })
    setScanFlaeche(flaeche)
    setScanEbene(ebene)
    return () => ebene.schliessen()
  }
  const bereitKarte = (flaeche: FlaecheGriff) => {
    const ebene = new PunktEbene(flaeche.map, {
      setzen: (ort) => rufe.current?.setzeKarte(ort),
      waehlen: setGewaehlt,
      ziehen: (...zug) => rufe.current?.zieheKarte(...zug),
      zeigen: (ort) => setZeiger(ort === null ? null : { wo: 'karte', ort }),
      fangen: (ort, pixel) => fangenAn(flaeche.map, ort, pixel),
    })
    const over = new Auflage(flaeche.map)
    setKartenFlaeche(flaeche)
    setKartenEbene(ebene)
    setAuflage(over)
    return () => {
      ebene.schliessen()
      over.schliessen()
    }
  }

  useEffect(() => {
    const art = (index: number, enable: boolean): PunktBild['art'] =>
      !enable ? 'aus' : index === auswertung.schlechtester ? 'schlecht' : 'benutzt'
    const bilder = (ortOf: (punkt: Punkt) => Ort | null, fehlerOf: (index: number) => Ort | null): PunktBild[] =>
      stand.punkte.flatMap((punkt, index) => {
        const ort = ortOf(punkt)
        if (ort === null || !ort.every(Number.isFinite)) return []
        return [
          { id: punkt.id, nr: index + 1, ort, art: art(index, punkt.enable), gewaehlt: punkt.id === gewaehlt, fehler: fehlerOf(index) },
        ]
      })
    scanEbene?.zeige(
      bilder(
        ({ spalte, zeile }) => [spalte, -zeile],
        (index) => {
          const rest = auswertung.rest[index]
          return rest && !spline ? [rest.dx, -rest.dy] : null
        },
      ),
    )
    kartenEbene?.zeige(
      bilder(
        ({ ost, nord }) => (zuKarte === null ? null : zuKarte([ost, nord])),
        () => null,
      ),
    )
  }, [scanEbene, kartenEbene, stand.punkte, auswertung, gewaehlt, zuKarte, spline])
  useEffect(() => {
    const { halb } = stand
    scanEbene?.zeigeHalb(halb?.scan ? [halb.scan.spalte, -halb.scan.zeile] : null, gesucht.scan)
    kartenEbene?.zeigeHalb(halb?.karte && zuKarte ? zuKarte([halb.karte.ost, halb.karte.nord]) : null, gesucht.karte)
  }, [scanEbene, kartenEbene, stand, gesucht, zuKarte])
  useEffect(() => {
    if (scanEbene) scanEbene.setzt = setzt
    if (kartenEbene) kartenEbene.setzt = setzt
  }, [scanEbene, kartenEbene, setzt])

  // The scan over the ground.
  const quelle = useMemo<ScanQuelle | null>(
    () =>
      scan?.kacheln ? { breite: scan.breite, hoehe: scan.hoehe, kachel: (z, x, y) => karteWege.kachel(karte.id, scan.id, z, x, y) } : null,
    [scan, karte.id],
  )
  const [bildDa, setBildDa] = useState(0)
  useEffect(() => {
    if (auflage === null || quelle === null || !auf.an) return undefined
    const ended = new AbortController()
    loadScanBild(quelle, ended.signal, (bild) => {
      auflage.setBild(bild)
      setBildDa((count) => count + 1)
    }).catch(() => {
      // The scan's own pane says what did not come.
    })
    return () => ended.abort()
  }, [auflage, quelle, auf.an])
  useEffect(() => {
    auflage?.setNetz(auswertung.netz, zuKarte)
  }, [auflage, auswertung.netz, zuKarte, bildDa])
  useEffect(() => {
    if (auflage === null) return
    auflage.sichtbar = auf.an
    auflage.zeige(auf.deckung / 100, auf.wischen / 100)
  }, [auflage, auf])
  useEffect(() => {
    if (kartenFlaeche === null || ergebnis === null || !ergebnisAn) return undefined
    const layer = ergebnisLayer(karte.id, ergebnis.id)
    kartenFlaeche.map.addLayer(layer)
    return () => {
      kartenFlaeche.map.removeLayer(layer)
    }
  }, [kartenFlaeche, ergebnis, ergebnisAn, karte.id])

  useEffect(() => {
    if (kartenFlaeche === null || !bestandAn) return undefined
    const layer = bestandLayer(karte.client_id)
    kartenFlaeche.map.addLayer(layer)
    return () => {
      kartenFlaeche.map.removeLayer(layer)
    }
  }, [kartenFlaeche, bestandAn, karte.client_id])

  // Where the map looks at first: at the points, else at the whole country.
  const ausschnitt = useMemo(() => {
    const orte =
      zuKarte === null
        ? []
        : startOf(record)
            .punkte.map(({ ost, nord }) => zuKarte([ost, nord]))
            .filter((ort) => ort.every(Number.isFinite))
    if (orte.length === 0) return null
    const [xs, ys] = [orte.map(([x]) => x), orte.map(([, y]) => y)]
    const margin = Math.max(100, (Math.max(...xs) - Math.min(...xs)) * 0.15)
    return [Math.min(...xs) - margin, Math.min(...ys) - margin, Math.max(...xs) + margin, Math.max(...ys) + margin] as const
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [record])

  const gehe = (punkt: number) => {
    const one = stand.punkte.find((other) => other.id === punkt)
    if (one === undefined) return
    setGewaehlt(punkt)
    // From far down in the table: what was jumped to is to be seen.
    flaechen.current?.scrollIntoView({ block: 'nearest' })
    scanEbene?.gehe([one.spalte, -one.zeile], CLOSE_SCAN)
    if (zuKarte !== null) kartenEbene?.gehe(zuKarte([one.ost, one.nord]), CLOSE_MAP)
  }
  const loesche = (ids: readonly number[]) => {
    tu({ art: 'loeschen', ids })
    setGewaehlt(null)
    setGesagt(t('Punkt gelöscht. Strg+Z holt ihn zurück.'))
  }
  useEffect(() => {
    rufe.current = { setzeScan, setzeKarte, zieheScan, zieheKarte, gehe, loesche }
  })
  const taten = useMemo<PunktTaten>(
    () => ({
      gehe: (punkt) => rufe.current?.gehe(punkt),
      benutzen: (punkt, enable) => tu({ art: 'benutzen', ids: [punkt], enable }),
      bearbeiten: (punkt) => setFenster({ art: 'punkt', id: punkt }),
      loeschen: (punkt) => rufe.current?.loesche([punkt]),
    }),
    [tu],
  )

  /** The lens stands at the chosen point, at an open half, or where the pointer is. */
  const punkt = stand.punkte.find((one) => one.id === gewaehlt) ?? null
  const lupe: { mitte: Ort | null; was: string | null } =
    punkt !== null
      ? { mitte: [punkt.spalte, -punkt.zeile], was: t('Punkt {nr}', { nr: stand.punkte.indexOf(punkt) + 1 }) }
      : stand.halb?.scan
        ? { mitte: [stand.halb.scan.spalte, -stand.halb.scan.zeile], was: t('neuer Punkt') }
        : { mitte: zeiger?.wo === 'scan' ? zeiger.ort : null, was: null }
  const schub = (rechts: number, runter: number) => {
    const moved = ({ spalte, zeile }: { spalte: number; zeile: number }) => ({
      spalte: rundePixel(spalte + rechts),
      zeile: rundePixel(zeile + runter),
    })
    if (punkt !== null) tu({ art: 'verschieben', id: punkt.id, ort: moved(punkt) }, `schub ${punkt.id}`)
    else if (stand.halb?.scan) tu({ art: 'scan', ort: moved(stand.halb.scan) }, 'schub halb')
  }

  function wechsleSystem(epsg: number) {
    if (!geht || !umrechner.systeme.has(epsg)) return
    const convert = umrechner.umrechnung(stand.epsg, epsg)
    const moved = ({ ost, nord }: { ost: number; nord: number }) => {
      const [east, north] = convert([ost, nord])
      return { ost: east, nord: north }
    }
    tu({ art: 'system', epsg, orte: stand.punkte.map(moved), halb: stand.halb?.karte ? moved(stand.halb.karte) : null })
  }

  async function speichern(version = basis.version) {
    if (saving) return
    setSaving(true)
    setFault(null)
    try {
      const answer = await savePunkte(karte.id, version, stand, auswertung.rest, {
        epsg: stand.epsg,
        georef_typ: stand.typ,
        georef_label: stand.label ?? labelOf(stand.typ),
        res: stand.res,
        georef_bash: bashOf(stand, scan?.name ?? karte.map_name, breite, hoehe),
      })
      if (typeof answer !== 'number') return setKonflikt(answer.jetzt)
      setKonflikt(null)
      setBasis({ version: answer, text })
      clear()
      settle()
      if (stand.halb === null) disarm()
      toast.success(t('Gespeichert.'))
      // Lists, the plan's own page and its earlier states show it; this page goes on with what is in hand.
      await client.invalidateQueries({
        predicate: ({ queryKey }) => String(queryKey[0]).startsWith('karte') && queryKey.at(-1) !== 'georef',
      })
      client.setQueryData(standKey(id), await fetchGeoref(id))
    } catch (error) {
      setFault(messageOf(error))
    } finally {
      setSaving(false)
    }
    return undefined
  }

  // The steps say what they were, for those who do not see it.
  const rueckgaengig = () => {
    const last = vergangen.at(-1)
    zurueck()
    if (last) setGesagt(t('Zurückgenommen: {what}', { what: tatText(last.tat) }))
  }
  const wiederholen = () => {
    const next = zukunft.at(-1)
    wieder()
    if (next) setGesagt(t('Wiederholt: {what}', { what: tatText(next.tat) }))
  }

  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (view.isHidden() || event.defaultPrevented || document.querySelector('dialog[open]')) return
    const target = event.target as HTMLElement
    const key = event.key.toLowerCase()
    const typing = target.matches('input:not([type="checkbox"], [type="range"], [type="radio"]), textarea, select')
    if ((event.ctrlKey || event.metaKey) && !event.altKey) {
      const act =
        key === 's'
          ? () => dirty && void speichern()
          : typing
            ? undefined
            : key === 'z'
              ? event.shiftKey
                ? wiederholen
                : rueckgaengig
              : key === 'y'
                ? wiederholen
                : undefined
      if (act === undefined) return
      event.preventDefault()
      act()
      return
    }
    if (typing || event.altKey) return
    const pane = target.closest<HTMLElement>('[data-flaeche]')
    const onPane = pane !== null && target.classList.contains('flaeche-bild')
    if (key === 'escape') {
      if (stand.halb !== null) tu({ art: 'halb_weg' })
      else if (setzt) setSetzt(false)
      else setGewaehlt(null)
    } else if (key === 'n') setSetzt(!setzt)
    else if (onPane && key === 'enter') {
      const ebene = pane.dataset['flaeche'] === 'scan' ? scanEbene : kartenEbene
      const ort = ebene?.mitte()
      if (!setzt || !ort) return
      if (ebene === scanEbene) setzeScan(ort)
      else setzeKarte(ort)
    } else if (onPane && key === ' ' && punkt !== null) tu({ art: 'benutzen', ids: [punkt.id], enable: !punkt.enable })
    else if (onPane && key === 'delete' && punkt !== null) loesche([punkt.id])
    else return
    event.preventDefault()
  })
  useEffect(() => {
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])

  /** The map goes where the points are, unless it shows them already. */
  function zeigePunkte(punkte: readonly Passpunkt[], epsg: number) {
    if (kartenFlaeche === null || punkte.length === 0 || !umrechner.systeme.has(epsg)) return
    const convert = umrechner.umrechnung(epsg, 3857)
    zeigeOrte(
      kartenFlaeche.map,
      punkte.map(({ ost, nord }) => convert([ost, nord])),
    )
  }
  async function kopiere() {
    const commands = bashOf(stand, scan?.name ?? karte.map_name, breite, hoehe)
    if (commands === null) return
    try {
      await navigator.clipboard.writeText(commands)
      toast.success(t('Die Befehle sind in der Zwischenablage.'))
    } catch {
      toast.error(t('Der Browser hat das Kopieren nicht erlaubt.'))
    }
  }

  const bearbeitet = fenster?.art === 'punkt' ? stand.punkte.find(({ id: one }) => one === fenster.id) : undefined
  const used = benutzte(stand).length
  const unsolved = auswertung.netz === null
  const last = vergangen.at(-1)
  const next = zukunft.at(-1)
  const affin = auswertung.affin !== null
  const hindernis = dirty
    ? t('Bitte zuerst speichern: entzerrt wird, was gespeichert ist.')
    : scan === null
      ? t('Zu dieser Karte gibt es noch keinen Scan.')
      : unsolved
        ? t('Die Punkte genügen noch nicht.')
        : null
  const coordinates = zeiger === null ? null : zeiger.wo === 'scan' ? null : kartenOrt(zeiger.ort)
  return (
    <Page
      title={t('Georeferenzierung')}
      record={karte.map_name}
      subtitle={
        <a href={`/karten/${id}`}>
          {karte.map_name}
          {scan && <span className="soft"> · {t('{w} × {h} Pixel', { w: formatNumber(scan.breite), h: formatNumber(scan.hoehe) })}</span>}
        </a>
      }
      actions={
        <>
          <IconButton
            icon="undo"
            label={last ? t('Rückgängig: {what}', { what: tatText(last.tat) }) : t('Rückgängig')}
            title={last ? t('Rückgängig: {what} (Strg+Z)', { what: tatText(last.tat) }) : t('Rückgängig')}
            disabled={last === undefined}
            onClick={rueckgaengig}
          />
          <IconButton
            icon="redo"
            label={next ? t('Wiederholen: {what}', { what: tatText(next.tat) }) : t('Wiederholen')}
            title={next ? t('Wiederholen: {what} (Strg+Y)', { what: tatText(next.tat) }) : t('Wiederholen')}
            disabled={next === undefined}
            onClick={wiederholen}
          />
          <Menu
            label={t('Datei und Stände')}
            align="end"
            trigger={
              <>
                {t('Datei')}
                <Icon name="chevronDown" size={16} />
              </>
            }
            items={[
              { key: 'einlesen', label: t('Punktdatei einlesen …'), icon: 'upload', onSelect: () => setFenster({ art: 'einlesen' }) },
              {
                key: 'neu',
                label: t('Punkte für QGIS speichern'),
                icon: 'download',
                disabled: stand.punkte.length === 0,
                divided: true,
                onSelect: () => savePunkteDatei(stand, auswertung, 'neu', karte.map_name),
              },
              {
                key: 'alt',
                label: t('Punkte für QGIS vor 3.26 speichern'),
                icon: 'download',
                disabled: stand.punkte.length === 0,
                onSelect: () => savePunkteDatei(stand, auswertung, 'alt', karte.map_name),
              },
              {
                key: 'welt',
                label: affin ? t('Weltdatei speichern') : t('Weltdatei (nur linear, Helmert, 1. Ordnung)'),
                icon: 'download',
                disabled: !affin,
                onSelect: () => saveWeltdatei(auswertung, scan?.name ?? karte.map_name),
              },
              {
                key: 'csv',
                label: t('Restfehler als CSV'),
                icon: 'download',
                disabled: stand.punkte.length === 0,
                onSelect: () => saveBericht(stand, auswertung, karte.map_name),
              },
              { key: 'bash', label: t('GDAL-Befehle kopieren'), icon: 'file', disabled: unsolved, onSelect: () => void kopiere() },
              {
                key: 'staende',
                label: t('Frühere Stände …'),
                icon: 'history',
                divided: true,
                onSelect: () => setFenster({ art: 'staende' }),
              },
            ]}
          />
          <Button variant="primary" busy={saving} disabled={!dirty} onClick={() => void speichern()} title={t('Strg+S')}>
            {t('Speichern')}
          </Button>
        </>
      }
    >
      {draft.offered && (
        <DraftOffer
          at={draft.offered.at}
          changed={draft.offered.version !== karte.version}
          overtaken={draft.offered.version === karte.version ? [] : [t('Passpunkte')]}
          onRestore={() => {
            const kept = standOfEntwurf(draft.offered?.values.stand ?? '')
            if (kept) tu({ art: 'laden', ...kept })
            settle()
          }}
          onDrop={() => settle({ drop: true })}
        />
      )}
      {fault !== null && (
        <Notice tone="danger" title={t('Nicht gespeichert')}>
          {fault}
        </Notice>
      )}
      {!geht && (
        <Notice tone="warning" title={t('{system} kann hier nicht umgerechnet werden', { system: epsgName(stand.epsg) })}>
          {t(
            'Auf dem Server fehlt das Gitter BETA2007, ohne das dieses System um bis zu 1,6 m daneben läge. Die Karte rechts bleibt deshalb leer. Bitte wenden Sie sich an die Verwaltung des Servers.',
          )}
        </Notice>
      )}
      <div className="georef-leiste">
        <Button
          icon="target"
          aria-pressed={setzt}
          variant={setzt ? 'primary' : 'secondary'}
          title={t('Taste N')}
          onClick={() => setSetzt(!setzt)}
        >
          {t('Punkte setzen')}
        </Button>
        <Button icon="plus" disabled={!geht} onClick={() => setFenster({ art: 'punkt', id: null })}>
          {t('Koordinaten eingeben')}
        </Button>
        <SelectField
          label={t('Verfahren')}
          value={stand.typ}
          options={GEOREF_TYPEN.map((typ) => ({ value: typ, label: typMitPunkten(typ) }))}
          onChange={(event) => tu({ art: 'werte', werte: { typ: event.target.value as GeorefTyp } })}
        />
        <SelectField
          label={t('Koordinatensystem')}
          value={String(stand.epsg)}
          disabled={!geht}
          options={EPSG_SYSTEMS.filter(([code]) => code === stand.epsg || umrechner.systeme.has(code)).map(([code]) => ({
            value: String(code),
            label: epsgName(code),
          }))}
          onChange={(event) => wechsleSystem(Number(event.target.value))}
        />
        {grund.karten.length > 0 && (
          <SelectField
            label={t('Grundkarte')}
            value={grund.gewaehlt?.id ?? ''}
            emptyOption={t('keine')}
            options={grund.karten.map(({ id: value, titel }) => ({ value, label: titel }))}
            onChange={(event) => grund.waehlen(event.target.value)}
          />
        )}
      </div>
      <p className="georef-anleitung">{anleitung(setzt, stand, used)}</p>
      <div ref={flaechen} className="georef-flaechen">
        <div data-flaeche="scan" className="georef-pane">
          {quelle === null ? (
            <div className="flaeche">
              <EmptyState
                icon="file"
                title={scan === null ? t('Noch kein Scan') : t('Der Scan wird vorbereitet')}
                action={<ButtonLink href={`/karten/${id}`}>{t('Zur Karte')}</ButtonLink>}
              >
                {scan === null
                  ? t('Laden Sie auf der Seite der Karte den gescannten Plan hoch. Punkte lassen sich auch vorher einlesen und eingeben.')
                  : t('Große Scans brauchen nach dem Hochladen einen Augenblick.')}
              </EmptyState>
            </div>
          ) : (
            <ScanFlaeche
              key={scan?.id}
              scan={quelle}
              label={t('Scan')}
              hinweis={t('Eingabetaste setzt einen Punkt in der Mitte, Leertaste schaltet den gewählten Punkt, Entf löscht ihn.')}
              onBereit={bereitScan}
              fuss={
                zeiger?.wo === 'scan' && (
                  <span className="nums">
                    {t('Spalte {x}, Zeile {y}', { x: formatNumber(zeiger.ort[0], 1), y: formatNumber(-zeiger.ort[1], 1) })}
                  </span>
                )
              }
            />
          )}
        </div>
        <div data-flaeche="karte" className="georef-pane">
          <KartenFlaeche
            label={t('Karte')}
            hinweis={t('Eingabetaste setzt einen Punkt in der Mitte, Leertaste schaltet den gewählten Punkt, Entf löscht ihn.')}
            grundkarte={grund.gewaehlt}
            ausschnitt={ausschnitt}
            onBereit={bereitKarte}
            fuss={
              coordinates && (
                <span className="nums">{`${ortText(coordinates.ost, stand.epsg)} / ${ortText(coordinates.nord, stand.epsg)}`}</span>
              )
            }
          />
          <div className="georef-auf">
            <label>
              <input type="checkbox" checked={auf.an} onChange={(event) => setAuf({ ...auf, an: event.target.checked })} />{' '}
              {t('Scan auf der Karte')}
            </label>
            <label>
              {t('Deckkraft')}
              <input
                type="range"
                min={0}
                max={100}
                value={auf.deckung}
                disabled={!auf.an}
                onChange={(event) => setAuf({ ...auf, deckung: Number(event.target.value) })}
              />
            </label>
            <label>
              {t('Wischen')}
              <input
                type="range"
                min={0}
                max={100}
                value={auf.wischen}
                disabled={!auf.an}
                onChange={(event) => setAuf({ ...auf, wischen: Number(event.target.value) })}
              />
            </label>
            <label title={t('Beim Setzen und Ziehen springt der Punkt auf Ecken, Schächte und Leitungen, die nahe liegen.')}>
              <input type="checkbox" checked={bestandAn} onChange={(event) => setBestandAn(event.target.checked)} />{' '}
              {t('Vermessenes zeigen und fangen')}
            </label>
            {auflage !== null && !auflage.geht && (
              <span className="soft">{t('Dieser Browser zeichnet ohne Grafikkarte keinen Scan über die Karte.')}</span>
            )}
          </div>
        </div>
      </div>
      <div className="georef-unten">
        <Card flush title={t('Passpunkte ({used} von {all} benutzt)', { used, all: stand.punkte.length })}>
          <Guete stand={stand} auswertung={auswertung} rechnet={rechnet} />
          {stand.punkte.length === 0 ? (
            <EmptyState
              icon="target"
              title={t('Noch keine Passpunkte')}
              action={<Button onClick={() => setFenster({ art: 'einlesen' })}>{t('Punktdatei einlesen')}</Button>}
            >
              {t(
                'Klicken Sie im Scan auf eine Stelle, die Sie auch auf der Karte finden: eine Wegkreuzung, einen Grenzstein, ein Gitterkreuz. Dann auf denselben Ort der Karte.',
              )}
            </EmptyState>
          ) : (
            <PunktTabelle
              punkte={stand.punkte}
              auswertung={auswertung}
              epsg={stand.epsg}
              gewaehlt={gewaehlt}
              spline={spline}
              taten={taten}
            />
          )}
        </Card>
        <div className="georef-seite">
          {scanFlaeche !== null && quelle !== null && (
            <Card title={t('Lupe')}>
              <Lupe flaeche={scanFlaeche} mitte={lupe.mitte} was={lupe.was} onSchub={schub} />
            </Card>
          )}
          <Card title={t('Ergebnis')}>
            <div className="stack">
              <TextField
                label={t('Bezeichnung')}
                value={stand.label ?? ''}
                placeholder={typNamen()[stand.typ]}
                maxLength={200}
                onChange={(event) =>
                  tu({ art: 'werte', werte: { label: event.target.value === '' ? null : event.target.value } }, 'bezeichnung')
                }
              />
              <AufloesungFeld
                key={stand.res ?? 'ohne'}
                res={stand.res}
                grad={istGrad(stand.epsg)}
                vorschlag={auswertung.aufloesung}
                onRes={(res) => tu({ art: 'werte', werte: { res } })}
              />
            </div>
          </Card>
        </div>
      </div>
      <Entzerren
        karteId={id}
        kartenName={karte.map_name}
        hindernis={hindernis}
        ergebnis={ergebnis}
        gezeigt={ergebnisAn}
        onZeigen={setErgebnisAn}
      />
      <output className="visually-hidden">{gesagt}</output>
      {fenster?.art === 'punkt' && (
        <PunktDialog
          titel={bearbeitet ? t('Koordinaten von Punkt {nr}', { nr: stand.punkte.indexOf(bearbeitet) + 1 }) : t('Punkt eingeben')}
          start={bearbeitet ?? { ...stand.halb?.scan, ...stand.halb?.karte }}
          epsg={stand.epsg}
          umrechner={umrechner}
          onClose={() => setFenster(null)}
          onFertig={(neu) => {
            if (bearbeitet) tu({ art: 'verschieben', id: bearbeitet.id, ort: neu })
            else {
              tu({ art: 'neu', punkt: neu })
              gesetzt()
            }
            setFenster(null)
            zeigePunkte([neu], stand.epsg)
          }}
        />
      )}
      {fenster?.art === 'einlesen' && (
        <ImportDialog
          epsg={stand.epsg}
          vorhanden={stand.punkte.length}
          breite={breite}
          hoehe={hoehe}
          umrechner={umrechner}
          onClose={() => setFenster(null)}
          onFertig={({ punkte, epsg, anhaengen }) => {
            tu({ art: 'laden', punkte, anhaengen, werte: { epsg } })
            setFenster(null)
            setSetzt(false)
            setGewaehlt(null)
            zeigePunkte(punkte, epsg)
            toast.success(t('{n} Punkte eingelesen.', { n: punkte.length }))
          }}
        />
      )}
      {fenster?.art === 'staende' && (
        <StaendeDialog
          karteId={id}
          breite={breite}
          hoehe={hoehe}
          onClose={() => setFenster(null)}
          onNehmen={(punkte, werte) => {
            tu({ art: 'laden', punkte, werte })
            setFenster(null)
            setGewaehlt(null)
            zeigePunkte(punkte, werte.epsg ?? stand.epsg)
          }}
        />
      )}
      {konflikt !== null && (
        <KonfliktDialog
          meins={stand}
          ihres={konflikt}
          saving={saving}
          onClose={() => setKonflikt(null)}
          onMeins={() => void speichern(konflikt.karte.version)}
          onIhres={() => {
            const theirs = startOf(konflikt)
            tu({ art: 'laden', punkte: theirs.punkte, werte: werteOf(konflikt.karte) })
            setBasis({ version: konflikt.karte.version, text: gespeichertes(theirs) })
            setKonflikt(null)
          }}
        />
      )}
    </Page>
  )
}

/** What comes next, in one sentence. */
function anleitung(setzt: boolean, { halb, punkte, typ }: Stand, used: number): string {
  if (halb?.scan) return t('Jetzt denselben Ort auf der Karte anklicken. Esc verwirft ihn.')
  if (halb?.karte) return t('Jetzt denselben Ort im Scan anklicken. Esc verwirft ihn.')
  if (setzt)
    return punkte.length === 0
      ? t('Eine Stelle im Scan anklicken, dann denselben Ort auf der Karte (oder umgekehrt).')
      : used < MINDESTPUNKTE[typ]
        ? t('Nächste Stelle anklicken: noch {n} bis zum ersten Ergebnis.', { n: MINDESTPUNKTE[typ] - used })
        : t('Nächste Stelle anklicken. Esc beendet das Setzen.')
  return t('Punkte anklicken und ziehen. Taste N setzt neue, Strg+Z nimmt zurück.')
}
