// The rows of a file on the map, before they are trees: new ones, changed ones, those with a fault; beneath them the holding, so that a wrong system is seen at once.
import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import type { HabitatImportFehler, HabitatImportZeile } from '#contract/habitat-datei.ts'
import type { FlaecheGriff } from '../../karte/Flaeche.tsx'
import { useGrundkarte } from '../../karte/grundkarten.data.ts'
import { KartenFlaeche } from '../../karte/KartenFlaeche.tsx'
import type { Betrieb } from '../../list/betrieb.data.ts'
import { artText } from '../../record/habitat/habitat-words.ts'
import { formatNumber } from '../../ui/format.ts'
import { Skeleton } from '../../ui/States.tsx'
import { t } from '../../ui/text.ts'
import { umrisseQuery } from './habitat.data.ts'
import './habitat.css'
import type { Stufe } from './haufen.ts'
import { haufenVon, importOrte, kastenVonOrten, vereint } from './import-orte.ts'
import { wasText } from './import-words.ts'
import { kastenVonUmrissen } from './umrisse.ts'
import { useEbene } from './use-ebene.ts'

interface Props {
  betrieb: Betrieb
  zeilen: readonly HabitatImportZeile[]
  fehler: readonly HabitatImportFehler[]
}

export function ImportKarte({ betrieb, zeilen, fehler }: Props) {
  const umrisse = useQuery(umrisseQuery(betrieb.idHQ))
  const { gewaehlt } = useGrundkarte()
  const [flaeche, setFlaeche] = useState<FlaecheGriff | null>(null)
  const [nr, setNr] = useState<number | null>(null)
  const [stufe, setStufe] = useState<Stufe>(null)
  const orte = useMemo(() => importOrte(zeilen, fehler), [zeilen, fehler])
  const ausschnitt = useMemo(() => vereint(kastenVonOrten(orte), kastenVonUmrissen(umrisse.data ?? [])), [orte, umrisse.data])
  const ebene = useEbene(flaeche, setNr, (ol, map, waehlen: (id: number) => void) =>
    ol.baumebene(map, { waehlen, blick: (_, seen) => setStufe(seen), zeichen: () => undefined }),
  )
  useEffect(() => ebene?.umrisse(umrisse.data ?? []), [ebene, umrisse.data])
  useEffect(() => ebene?.zeige(haufenVon(orte, stufe)), [ebene, orte, stufe])
  if (umrisse.isPending) return <Skeleton lines={8} />
  const faults = fehler.filter((one) => one.ort !== undefined).length
  const of = (was: HabitatImportZeile[3]) => zeilen.filter((zeile) => zeile[3] === was).length
  const legende = [
    [0, t('neu'), of('neu')],
    [2, t('geändert'), of('geaendert')],
    [3, t('unverändert'), of('unveraendert')],
    [1, t('mit Fehler'), faults],
  ] as const
  return (
    <div className="habitat-karte">
      <KartenFlaeche
        label={t('Karte der Bäume aus der Datei')}
        hinweis={t('Eingabetaste nennt die Zeile des Baums, der der Mitte am nächsten ist.')}
        className="habitat-ol"
        grundkarte={gewaehlt}
        ausschnitt={ausschnitt}
        rad="fokus"
        onBereit={(made) => {
          setFlaeche(made)
          return undefined
        }}
      />
      <ul className="habitat-legende" aria-label={t('Legende')}>
        {legende.map(
          ([punkt, name, anzahl]) =>
            anzahl > 0 && (
              <li key={name}>
                <span className={`habitat-punkt habitat-punkt-${punkt}`} aria-hidden="true" />
                {name} ({formatNumber(anzahl)})
              </li>
            ),
        )}
      </ul>
      <output className="soft">{nr === null ? t('Ein Klick auf einen Punkt nennt seine Zeile.') : gewaehltText(nr, zeilen)}</output>
    </div>
  )
}

function gewaehltText(nr: number, zeilen: readonly HabitatImportZeile[]): string {
  const zeile = zeilen.find(([one]) => one === nr)
  if (zeile === undefined) return t('Zeile {nr}: mit Fehler', { nr: formatNumber(nr) })
  const [, , , was, nummer, art] = zeile
  return t('Zeile {nr}: {was}, {baum}', {
    nr: formatNumber(nr),
    was: wasText(was),
    baum: [nummer, artText(art, null)].filter(Boolean).join(' · '),
  })
}
