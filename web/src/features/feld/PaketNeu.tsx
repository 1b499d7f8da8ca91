// Choosing what goes along: a holding, all of it or a part, and the ground beneath.
import { useQuery } from '@tanstack/react-query'
import { useMemo, useRef, useState } from 'react'
import type { BestandKurz, Umriss } from '#contract/bestand.ts'
import type { Grundkarte } from '#contract/grundkarte.ts'
import { type Auswahl, stufen, waehle } from '#domain/bestand.ts'
import { rpc } from '../../data/rpc.ts'
import { useHasRole, useSession } from '../../data/session.ts'
import { Flaeche, type FlaecheGriff } from '../../karte/Flaeche.tsx'
import { grundkarten } from '../../karte/grundkarten.data.ts'
import { Button } from '../../ui/Button.tsx'
import { Segments } from '../../ui/Choice.tsx'
import { Notice } from '../../ui/Display.tsx'
import { SelectField } from '../../ui/Field.tsx'
import { formatBytes, formatNumber } from '../../ui/format.ts'
import { ErrorState, Skeleton } from '../../ui/States.tsx'
import { splitOff } from '../../ui/split-off.tsx'
import { t } from '../../ui/text.ts'
import type { GefundenerBetrieb } from './BetriebSuche.tsx'
import type { Wunsch } from './paket-lauf.ts'
import { bestaendeIm, geschaetzt, kachelnUeber, kaestenVon, kastenUm, STUFEN, type Teil } from './paket-umfang.ts'

const BetriebSuche = splitOff(async () => (await import('./BetriebSuche.tsx')).BetriebSuche, <Skeleton lines={1} />)

const KEINE: Auswahl = [null, null, null, null, null]

interface Wald {
  readonly bestaende: readonly BestandKurz[]
  readonly ebenen: readonly string[]
  readonly umrisse: readonly Umriss[]
}
const fetchWald = async (idHQ: number, signal: AbortSignal): Promise<Wald> => {
  const [bestand, umrisse] = await Promise.all([
    rpc('a_get_waldbestand', { hq_id: idHQ }, { signal, timeoutMs: 60_000 }),
    rpc('a_get_bestand_umrisse', { hq_id: idHQ }, { signal, timeoutMs: 60_000 }),
  ])
  return { bestaende: bestand?.bestaende ?? [], ebenen: bestand?.ebenen ?? [], umrisse }
}
/** What would be saved: said before anything is fetched. */
function umfangOf(teil: Teil, { bestaende, umrisse }: Wald, karte: Grundkarte | null) {
  const stands = bestaendeIm(teil, bestaende, umrisse)
  const darin = new Set(stands.map(({ id }) => id))
  const drawn = kaestenVon(umrisse.filter(([id]) => darin.has(id)))
  return { stands: stands.length, kacheln: karte === null ? 0 : kachelnUeber(drawn, karte).length }
}

export function PaketNeu({ vorhanden, onSpeichern }: { vorhanden: readonly number[]; onSpeichern: (wunsch: Wunsch) => void }) {
  const admin = useHasRole('ogf_admin')
  const { hqs } = useSession()
  const own = hqs.filter(({ fb_enabled }) => fb_enabled)
  const free = own.filter(({ idHQ }) => !vorhanden.includes(idHQ))
  const [gewaehlt, setGewaehlt] = useState('')
  const [gefunden, setGefunden] = useState<GefundenerBetrieb | null>(null)
  const [art, setArt] = useState<Teil['art']>('ganz')
  const [auswahl, setAuswahl] = useState<Auswahl>(KEINE)
  const [karteId, setKarteId] = useState<string | null>(null)
  const griff = useRef<FlaecheGriff | null>(null)
  const eigener: GefundenerBetrieb | null = free.find(({ idHQ }) => String(idHQ) === gewaehlt) ?? (free.length === 1 ? free[0]! : null)
  const liegtHier = admin && gefunden !== null && vorhanden.includes(gefunden.idHQ)
  const betrieb = admin ? (liegtHier ? null : gefunden) : eigener
  const idHQ = betrieb?.idHQ ?? 0
  const wald = useQuery({
    queryKey: ['feld', 'wald', idHQ],
    queryFn: ({ signal }) => fetchWald(idHQ, signal),
    enabled: betrieb !== null,
    staleTime: 5 * 60_000,
  })
  const karten = useQuery(grundkarten)
  const mitnehmbar = (karten.data ?? []).filter(({ mitnehmen }) => mitnehmen)
  const karte = karteId === '' ? null : (mitnehmbar.find(({ id }) => id === karteId) ?? mitnehmbar[0] ?? null)

  const teil = (): Teil => {
    if (art === 'adresse') return { art, auswahl }
    const map = griff.current?.map
    const size = map?.getSize()
    if (art === 'kasten' && map && size) {
      const [west = 0, south = 0, east = 0, north = 0] = map.getView().calculateExtent(size)
      return { art, kasten: [west, south, east, north] }
    }
    return { art: 'ganz' }
  }
  const { data } = wald
  const umfang =
    data === undefined || art === 'kasten' ? null : umfangOf(art === 'adresse' ? { art, auswahl } : { art: 'ganz' }, data, karte)
  const ganz = useMemo(() => (data === undefined ? null : kastenUm(kaestenVon(data.umrisse))), [data])

  if (!admin && own.length === 0)
    return (
      <Notice tone="warning" title={t('Kein Forstbetrieb zum Erfassen')}>
        {t(
          'Erfassen können Sie in freigeschalteten Forstbetrieben, mit denen Sie verbunden sind. Fragen Sie die Verwaltung Ihres Forstbetriebs.',
        )}
      </Notice>
    )
  if (!admin && free.length === 0) return <p className="soft">{t('Alle Ihre Forstbetriebe liegen schon auf diesem Gerät.')}</p>
  const waehleBetrieb = (id: string) => {
    setGewaehlt(id)
    setAuswahl(KEINE)
  }
  return (
    <div className="stack">
      {admin ? (
        <BetriebSuche gewaehlt={gewaehlt} onWahl={waehleBetrieb} onBetrieb={setGefunden} />
      ) : (
        <SelectField
          label={t('Forstbetrieb')}
          value={betrieb === null ? '' : String(betrieb.idHQ)}
          {...(free.length > 1 && { emptyOption: t('Bitte wählen') })}
          options={free.map((one) => ({ value: String(one.idHQ), label: one.sHQ }))}
          onChange={(event) => waehleBetrieb(event.target.value)}
        />
      )}
      {liegtHier && <p className="soft">{t('Dieser Forstbetrieb liegt schon auf diesem Gerät.')}</p>}
      {betrieb !== null && (
        <>
          <Segments
            label={t('Umfang')}
            value={art}
            options={[
              { value: 'ganz', label: t('Alles') },
              { value: 'adresse', label: t('Nach Adresse') },
              { value: 'kasten', label: t('Kartenausschnitt') },
            ]}
            onChange={setArt}
          />
          {wald.error ? (
            <ErrorState error={wald.error} onRetry={() => void wald.refetch()} />
          ) : data === undefined ? (
            <Skeleton lines={2} />
          ) : art === 'adresse' ? (
            <div className="feld-stufen">
              {stufen(data.bestaende, auswahl, data.ebenen).map(({ ebene, name, gewaehlt: chosen, werte }) => (
                <SelectField
                  key={ebene}
                  label={name}
                  value={chosen ?? ''}
                  emptyOption={t('Alle')}
                  options={werte
                    .filter(({ wert }) => wert !== '')
                    .map(({ wert, anzahl }) => ({ value: wert, label: `${wert} (${anzahl})` }))}
                  onChange={(event) => setAuswahl(waehle(auswahl, ebene, event.target.value === '' ? null : event.target.value))}
                />
              ))}
            </div>
          ) : art === 'kasten' ? (
            <div className="feld-ausschnitt">
              <Flaeche
                key={betrieb.idHQ}
                label={t('Ausschnitt von {name}', { name: betrieb.sHQ })}
                hinweis={t('Gespeichert wird, was zu sehen ist.')}
                make={(ol, target) => ol.makeKartenFlaeche(target, ganz, { rad: 'fokus' })}
                onBereit={(made) => {
                  griff.current = made
                  void import('./ol-feld.ts').then(({ feldebenen }) =>
                    feldebenen(made.map, { baum: () => {}, gezogen: () => {}, blick: () => {} }).bestaende(data.umrisse, () => ''),
                  )
                  return () => {
                    griff.current = null
                  }
                }}
                fuss={<span>{t('Gespeichert wird, was zu sehen ist.')}</span>}
              />
            </div>
          ) : null}
          {mitnehmbar.length > 0 ? (
            <SelectField
              label={t('Hintergrundkarte')}
              value={karte?.id ?? ''}
              emptyOption={t('Keine')}
              options={mitnehmbar.map(({ id, titel }) => ({ value: id, label: titel }))}
              hint={
                karte === null
                  ? undefined
                  : umfang === null
                    ? t('Zoomstufen {a} bis {b}, höchstens 3.000 Kacheln und 60 MB', { a: STUFEN.von, b: STUFEN.bis })
                    : t('{n} Kacheln, etwa {size}', {
                        n: formatNumber(umfang.kacheln),
                        size: formatBytes(geschaetzt(umfang.kacheln, karte.art)),
                      })
              }
              onChange={(event) => setKarteId(event.target.value)}
            />
          ) : (
            karten.data && (
              <p className="soft">
                {karten.data.length === 0
                  ? t('Es ist keine Hintergrundkarte eingerichtet: Bestände und Bäume liegen auf leerem Grund.')
                  : t(
                      'Die eingerichteten Hintergrundkarten dürfen nicht auf Geräten gespeichert werden: Bestände und Bäume liegen auf leerem Grund.',
                    )}
              </p>
            )
          )}
          {umfang !== null && (
            <p className="soft">{umfang.stands === 1 ? t('1 Bestand') : t('{n} Bestände', { n: formatNumber(umfang.stands) })}</p>
          )}
          <Button
            variant="primary"
            icon="download"
            disabled={data === undefined || (art === 'adresse' && auswahl.every((wert) => wert === null))}
            onClick={() => onSpeichern({ idHQ: betrieb.idHQ, sHQ: betrieb.sHQ, teil: teil(), karte })}
          >
            {t('Auf diesem Gerät speichern')}
          </Button>
        </>
      )}
    </div>
  )
}
