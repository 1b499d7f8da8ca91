// The trees of the pack as a list: the nearest first as long as there is a position, else by name.
import { useMemo, useState } from 'react'
import { entfernung, richtung } from '../../karte/mercator.ts'
import { Button } from '../../ui/Button.tsx'
import { SearchField } from '../../ui/Field.tsx'
import { EmptyState } from '../../ui/States.tsx'
import { t } from '../../ui/text.ts'
import { useView } from '../../ui/view.tsx'
import type { FeldPaket } from './feld-db.ts'
import { ortungText, useOrtung } from './gnss.ts'
import { BaumInhalt, weg } from './NaheZeile.tsx'
import { useBaumPunkte } from './use-baeume.ts'

const AUF_EINMAL = 60

export function FeldBaeume({ paket }: { paket: FeldPaket }) {
  const { search, setSearch } = useView()
  const punkte = useBaumPunkte(paket)
  const ortung = useOrtung()
  const { ort } = ortung
  const [gezeigt, setGezeigt] = useState(AUF_EINMAL)
  const suche = search['suche'] ?? ''
  const zeilen = useMemo(() => {
    const words = suche.toLocaleLowerCase('de').split(/\s+/).filter(Boolean)
    const found =
      words.length === 0 ? punkte : punkte.filter(({ name }) => words.every((word) => name.toLocaleLowerCase('de').includes(word)))
    const far = found.map((punkt) => ({ punkt, meter: ort === null ? null : entfernung(ort, punkt) }))
    return far.toSorted((a, b) =>
      a.meter === null || b.meter === null ? a.punkt.name.localeCompare(b.punkt.name, 'de', { numeric: true }) : a.meter - b.meter,
    )
  }, [punkte, ort, suche])
  return (
    <div className="feld-inhalt">
      <h2 className="visually-hidden">{t('Bäume')}</h2>
      <SearchField
        label={t('Bäume suchen')}
        placeholder={t('Nummer oder Baumart')}
        value={suche}
        onValue={(text) => setSearch({ suche: text }, { replace: true })}
      />
      <output className="feld-anzahl soft">
        {zeilen.length === 1 ? t('1 Baum') : t('{n} Bäume', { n: zeilen.length })} ·{' '}
        {ort === null ? ortungText(ortung) : t('die nächsten zuerst')}
      </output>
      {zeilen.length === 0 ? (
        <EmptyState icon="leaf" title={suche === '' ? t('In diesem Paket ist noch kein Baum.') : t('Kein Baum passt zur Suche.')} />
      ) : (
        <ul className="feld-liste">
          {zeilen.slice(0, gezeigt).map(({ punkt, meter }) => (
            <li key={punkt.kennung}>
              <a className="feld-zeile" href={`/feld/baum/${punkt.kennung}`}>
                <BaumInhalt punkt={punkt} fern={meter === null || ort === null ? null : weg(meter, richtung(ort, punkt))} />
              </a>
            </li>
          ))}
        </ul>
      )}
      {zeilen.length > gezeigt && (
        <Button onClick={() => setGezeigt(gezeigt + AUF_EINMAL)}>
          {t('Weitere {n} zeigen', { n: Math.min(AUF_EINMAL, zeilen.length - gezeigt) })}
        </Button>
      )}
    </div>
  )
}
