// The georeferencer: the scan and the ground side by side, points in both, the scan laid over the ground while they are being set.
import { useEffect, useMemo, useRef, useState } from 'react'
import { type KarteDatei, karteWege } from '#contract/karte-dateien.ts'
import { epsgName } from '#domain/epsg.ts'
import type { Passpunkt } from '#domain/georef/abbildung.ts'
import { benutzte } from '#domain/georef/sitzung.ts'
import type { Umrechner } from '#domain/projektion.ts'
import { useGrundkarte } from '../../karte/grundkarten.data.ts'
import { Lupe } from '../../karte/Lupe.tsx'
import type { ScanQuelle } from '../../karte/ScanFlaeche.tsx'
import { typNamen } from '../../karte/verfahren.ts'
import { DraftOffer } from '../../record/DraftOffer.tsx'
import { Button } from '../../ui/Button.tsx'
import { Card, Notice } from '../../ui/Display.tsx'
import { TextField } from '../../ui/Field.tsx'
import { formatNumber } from '../../ui/format.ts'
import { Page } from '../../ui/Page.tsx'
import { EmptyState } from '../../ui/States.tsx'
import { t } from '../../ui/text.ts'
import { AufloesungFeld } from './AufloesungFeld.tsx'
import { bashOf } from './ausgaben.ts'
import { Entzerren } from './Entzerren.tsx'
import './georef.css'
import type { GeorefRecord } from './georef.data.ts'
import { type Fenster, GeorefFenster } from './GeorefFenster.tsx'
import { GeorefFlaechen } from './GeorefFlaechen.tsx'
import { GeorefLeiste } from './GeorefLeiste.tsx'
import { GeorefTaten } from './GeorefTaten.tsx'
import { standOfEntwurf, startOf } from './georef-start.ts'
import { istGrad, tatText } from './georef-words.ts'
import { Guete } from './Guete.tsx'
import { zeigeOrte } from './ol-punkte.ts'
import { PunktTabelle, type PunktTaten } from './PunktTabelle.tsx'
import { useAuswertung } from './rechner.ts'
import { useAuflage, useEbenen } from './use-ebenen.ts'
import { type Rufe, useFlaechen, usePunkteAufFlaechen, type Zeiger } from './use-flaechen.ts'
import { useSetzen, useUmrechnung, useVorhersage } from './use-setzen.ts'
import { useSitzung } from './use-sitzung.ts'
import { useSpeichern } from './use-speichern.ts'
import { useTasten } from './use-tasten.ts'

interface Props {
  record: GeorefRecord
  scan: KarteDatei | null
  ergebnis: KarteDatei | null
  umrechner: Umrechner
}

export function Georef({ record, scan, ergebnis, umrechner }: Props) {
  const { karte } = record
  const id = String(karte.id)
  const sitzung = useSitzung(() => startOf(record))
  const { jetzt: stand, tu } = sitzung
  const [gewaehlt, setGewaehlt] = useState<number | null>(null)
  const [setzt, setSetzt] = useState(record.punkte.length === 0)
  const [fenster, setFenster] = useState<Fenster>(null)
  const [gesagt, setGesagt] = useState('')
  const [auf, setAuf] = useState({ an: true, deckung: 60, wischen: 100 })
  const [ergebnisAn, setErgebnisAn] = useState(false)
  const [bestandAn, setBestandAn] = useState(false)
  const [zeiger, setZeiger] = useState<Zeiger | null>(null)
  const grund = useGrundkarte()

  const breite = scan?.breite ?? karte.width ?? Math.max(1, ...stand.punkte.map(({ spalte }) => spalte))
  const hoehe = scan?.hoehe ?? karte.height ?? Math.max(1, ...stand.punkte.map(({ zeile }) => zeile))
  const scanName = scan?.name ?? karte.map_name
  const bash = () => bashOf(stand, scanName, breite, hoehe)
  const { auswertung, rechnet } = useAuswertung(stand.typ, stand.punkte, breite, hoehe)
  const speicher = useSpeichern(record, stand, auswertung, bash)
  const { dirty, draft } = speicher

  const umrechnung = useUmrechnung(umrechner, stand.epsg)
  const { geht, zuKarte } = umrechnung
  const { vorhersage, gesucht } = useVorhersage(stand, zuKarte)
  const rahmen = useRef<HTMLDivElement>(null)
  const rufe = useRef<Rufe | null>(null)
  const flaechen = useFlaechen(rufe, setGewaehlt, setZeiger)
  const { scanFlaeche, kartenFlaeche } = flaechen
  const setzen = useSetzen({
    sitzung,
    flaechen,
    rahmen,
    umrechnung,
    vorhersage,
    gewaehlt,
    zeiger,
    onWahl: setGewaehlt,
    sage: setGesagt,
  })
  const { punkt } = setzen
  useEffect(() => {
    rufe.current = setzen
  })
  usePunkteAufFlaechen(flaechen, { stand, auswertung, gewaehlt, setzt, gesucht, zuKarte })
  const quelle = useMemo<ScanQuelle | null>(
    () =>
      scan?.kacheln ? { breite: scan.breite, hoehe: scan.hoehe, kachel: (z, x, y) => karteWege.kachel(karte.id, scan.id, z, x, y) } : null,
    [scan, karte.id],
  )
  useAuflage(flaechen.auflage, quelle, auswertung.netz, zuKarte, auf)
  useEbenen(kartenFlaeche, karte, ergebnisAn ? ergebnis : null, bestandAn)

  const taten = useMemo<PunktTaten>(
    () => ({
      gehe: (nr) => rufe.current?.gehe(nr),
      benutzen: (nr, enable) => tu({ art: 'benutzen', ids: [nr], enable }),
      bearbeiten: (nr) => setFenster({ art: 'punkt', id: nr }),
      loeschen: (nr) => rufe.current?.loesche([nr]),
    }),
    [tu],
  )

  function wechsleSystem(epsg: number) {
    if (!geht || !umrechner.systeme.has(epsg)) return
    const convert = umrechner.umrechnung(stand.epsg, epsg)
    const moved = ({ ost, nord }: { ost: number; nord: number }) => {
      const [east, north] = convert([ost, nord])
      return { ost: east, nord: north }
    }
    tu({ art: 'system', epsg, orte: stand.punkte.map(moved), halb: stand.halb?.karte ? moved(stand.halb.karte) : null })
  }

  // The steps say what they were, for those who do not see it.
  const rueckgaengig = () => {
    const last = sitzung.vergangen.at(-1)
    sitzung.zurueck()
    if (last) setGesagt(t('Zurückgenommen: {what}', { what: tatText(last.tat) }))
  }
  const wiederholen = () => {
    const next = sitzung.zukunft.at(-1)
    sitzung.wieder()
    if (next) setGesagt(t('Wiederholt: {what}', { what: tatText(next.tat) }))
  }
  useTasten({
    speichern: () => {
      if (dirty) void speicher.speichern()
    },
    zurueck: rueckgaengig,
    wieder: wiederholen,
    abbrechen: () => {
      if (stand.halb !== null) tu({ art: 'halb_weg' })
      else if (setzt) setSetzt(false)
      else setGewaehlt(null)
    },
    setzen: () => setSetzt(!setzt),
    aufFlaeche: (taste, wo) => {
      if (taste === 'enter') {
        const ort = (wo === 'scan' ? flaechen.scanEbene : flaechen.kartenEbene)?.mitte()
        if (!setzt || !ort) return false
        if (wo === 'scan') setzen.setzeScan(ort)
        else setzen.setzeKarte(ort)
        return true
      }
      if (punkt === null) return false
      if (taste === ' ') tu({ art: 'benutzen', ids: [punkt.id], enable: !punkt.enable })
      else setzen.loesche([punkt.id])
      return true
    },
  })

  /** The map goes where the points are, unless it shows them already. */
  function zeigePunkte(punkte: readonly Passpunkt[], epsg: number) {
    if (kartenFlaeche === null || punkte.length === 0 || !umrechner.systeme.has(epsg)) return
    const convert = umrechner.umrechnung(epsg, 3857)
    zeigeOrte(
      kartenFlaeche.map,
      punkte.map(({ ost, nord }) => convert([ost, nord])),
    )
  }

  const hindernis = dirty
    ? t('Bitte zuerst speichern: entzerrt wird, was gespeichert ist.')
    : scan === null
      ? t('Zu dieser Karte gibt es noch keinen Scan.')
      : auswertung.netz === null
        ? t('Die Punkte genügen noch nicht.')
        : null
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
        <GeorefTaten
          sitzung={sitzung}
          auswertung={auswertung}
          kartenName={karte.map_name}
          scanName={scanName}
          breite={breite}
          hoehe={hoehe}
          dirty={dirty}
          saving={speicher.saving}
          bash={bash}
          onZurueck={rueckgaengig}
          onWieder={wiederholen}
          onFenster={(art) => setFenster({ art })}
          onSpeichern={() => void speicher.speichern()}
        />
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
            draft.settle()
          }}
          onDrop={() => draft.settle({ drop: true })}
        />
      )}
      {speicher.fault !== null && (
        <Notice tone="danger" title={t('Nicht gespeichert')}>
          {speicher.fault}
        </Notice>
      )}
      {!geht && (
        <Notice tone="warning" title={t('{system} kann hier nicht umgerechnet werden', { system: epsgName(stand.epsg) })}>
          {t(
            'Auf dem Server fehlt das Gitter BETA2007, ohne das dieses System um bis zu 1,6 m daneben läge. Die Karte rechts bleibt deshalb leer. Bitte wenden Sie sich an die Verwaltung des Servers.',
          )}
        </Notice>
      )}
      <GeorefLeiste
        stand={stand}
        setzt={setzt}
        geht={geht}
        umrechner={umrechner}
        grund={grund}
        onSetzt={setSetzt}
        onEingeben={() => setFenster({ art: 'punkt', id: null })}
        onTyp={(typ) => tu({ art: 'werte', werte: { typ } })}
        onSystem={wechsleSystem}
      />
      <GeorefFlaechen
        rahmen={rahmen}
        record={record}
        scan={scan}
        quelle={quelle}
        flaechen={flaechen}
        grund={grund}
        epsg={stand.epsg}
        zuKarte={zuKarte}
        kartenOrt={umrechnung.kartenOrt}
        zeiger={zeiger}
        auf={auf}
        onAuf={setAuf}
        bestand={bestandAn}
        onBestand={setBestandAn}
      />
      <div className="georef-unten">
        <Card flush title={t('Passpunkte ({used} von {all} benutzt)', { used: benutzte(stand).length, all: stand.punkte.length })}>
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
              spline={stand.typ === 'tps'}
              taten={taten}
            />
          )}
        </Card>
        <div className="georef-seite">
          {scanFlaeche !== null && quelle !== null && (
            <Card title={t('Lupe')}>
              <Lupe flaeche={scanFlaeche} mitte={setzen.lupe.mitte} was={setzen.lupe.was} onSchub={setzen.schub} />
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
      <GeorefFenster
        fenster={fenster}
        karteId={id}
        sitzung={sitzung}
        breite={breite}
        hoehe={hoehe}
        umrechner={umrechner}
        speicher={speicher}
        onClose={() => setFenster(null)}
        onGesetzt={setzen.gesetzt}
        onGeladen={(punkte, epsg) => {
          setGewaehlt(null)
          zeigePunkte(punkte, epsg)
        }}
        onZeigen={zeigePunkte}
        onSetzt={setSetzt}
      />
    </Page>
  )
}
