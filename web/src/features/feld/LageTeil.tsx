// The place of a tree within the form: measured of itself, measured again by a press, or set on the map; what is wrong with it is said where it stands.
import { useState } from 'react'
import { useWatch, type UseFormReturn } from 'react-hook-form'
import { parseNumber } from '#domain/import-werte.ts'
import { type BaumValues, gradText, gradVon } from '../../record/habitat/habitat-form.ts'
import { methodeName } from '../../record/habitat/habitat-words.ts'
import { Button } from '../../ui/Button.tsx'
import { Notice, Badge } from '../../ui/Display.tsx'
import { formatNumber } from '../../ui/format.ts'
import { Icon } from '../../ui/Icon.tsx'
import { splitOff } from '../../ui/split-off.tsx'
import { t } from '../../ui/text.ts'
import { Bestandssuche } from './baum-punkt.ts'
import type { FeldPaket } from './feld-db.ts'
import { ortungText } from './gnss.ts'
import { bestandText, mehrOf } from './paket.ts'
import { GROB_M, istAusserhalb } from './position.ts'
import { useMessung } from './use-messung.ts'
import { adresseVon } from './vorschlaege.ts'

const LageWahl = splitOff(async () => (await import('./LageWahl.tsx')).LageWahl)

interface Props {
  form: UseFormReturn<BaumValues>
  paket: FeldPaket
  /** A new tree is measured as soon as its form is open. */
  vonSelbst: boolean
}

export function LageTeil({ form, paket, vonSelbst }: Props) {
  const [latText, lonText, genauText, methode] = useWatch({ control: form.control, name: ['lat', 'lon', 'genauigkeit_m', 'lage_methode'] })
  const [lat, lon] = [gradVon(latText), gradVon(lonText)]
  const genauigkeit = genauText === '' ? null : Number(parseNumber(genauText) ?? Number.NaN)
  const [karte, setKarte] = useState(false)
  const [suche] = useState(() => new Bestandssuche(paket.umrisse))
  const fault = form.formState.errors.lat?.message ?? form.formState.errors.lon?.message ?? form.formState.errors.genauigkeit_m?.message

  const setze = (ort: { lon: number; lat: number }, genau: number | null, how: 'gnss' | 'karte') => {
    const put = (values: Partial<Record<keyof BaumValues, string>>, validate: boolean) => {
      for (const [field, value] of Object.entries(values))
        form.setValue(field as keyof BaumValues, value, { shouldDirty: true, shouldValidate: validate })
    }
    put(
      { lat: gradText(ort.lat), lon: gradText(ort.lon), genauigkeit_m: genau === null ? '' : formatNumber(genau, 1), lage_methode: how },
      true,
    )
    // The stand that is drawn there, unless somebody has typed another address.
    const stand = suche.an(ort)
    const merkmal = stand === null ? undefined : mehrOf(paket).bestaende.find(({ id }) => id === stand)
    const { touchedFields } = form.formState
    const typed = (['sLVL01', 'sLVL02', 'sLVL03', 'sLVL04', 'sLVL05', 'iSTAND'] as const).some((field) => touchedFields[field])
    if (merkmal !== undefined && !typed) put(adresseVon(merkmal), false)
  }
  const messung = useMessung(vonSelbst, (mittel) => setze(mittel, mittel.genauigkeit, 'gnss'))
  const da = lat !== null && lon !== null
  const bestand = da ? suche.an({ lon, lat }) : null
  const merkmal = bestand === null ? undefined : mehrOf(paket).bestaende.find(({ id }) => id === bestand)
  const hinweis = ortungText(messung.ortung)
  return (
    <section className="erf-teil" aria-label={t('Lage')}>
      <div className="erf-lage">
        <Icon name="target" size={28} />
        <div aria-live="polite">
          {da ? (
            <>
              <strong className="erf-genau nums">
                {genauigkeit === null || Number.isNaN(genauigkeit)
                  ? methodeName(methode as 'karte')
                  : t('± {m} m', { m: formatNumber(genauigkeit, 1) })}
              </strong>{' '}
              {messung.misst ? (
                <Badge tone="info">{t('wird gemessen …')}</Badge>
              ) : (
                genauigkeit !== null && <span className="soft">{methodeName(methode as 'gnss')}</span>
              )}
              <div className="soft nums">
                {latText}° N, {lonText}° O{merkmal !== undefined && ` · ${bestandText(merkmal, paket.ebenen)}`}
              </div>
            </>
          ) : (
            <>
              <strong>{messung.misst ? t('Position wird bestimmt …') : t('Noch keine Position')}</strong>
              {hinweis !== null && <div className="soft">{hinweis}</div>}
            </>
          )}
        </div>
      </div>
      <div className="erf-taten">
        <Button icon="target" onClick={messung.starte} busy={messung.misst && messung.ortung.stand === 'da'}>
          {da ? t('Neu messen') : t('Messen')}
        </Button>
        <Button
          icon="map"
          aria-label={t('Auf der Karte')}
          onClick={() => {
            messung.beende()
            setKarte(true)
          }}
        >
          {t('Karte')}
        </Button>
      </div>
      {fault !== undefined && (
        <p className="field-error" role="alert" data-fehler="lat">
          <Icon name="warning" size={15} />
          {da ? fault : t('Ohne Position lässt sich der Baum nicht speichern. Messen Sie, oder setzen Sie ihn auf der Karte.')}
        </p>
      )}
      {da && !messung.misst && genauigkeit !== null && genauigkeit > GROB_M && (
        <Notice tone="warning" title={t('Die Position ist ungenau')}>
          {t('Warten Sie einen Augenblick und messen Sie neu, oder setzen Sie den Baum auf der Karte.')}
        </Notice>
      )}
      {da && istAusserhalb(paket.umrisse, { lon, lat }, genauigkeit ?? 0) && (
        <Notice tone="warning" title={t('Außerhalb des gespeicherten Forstbetriebs')}>
          {t('Diese Stelle liegt in keinem Bestand von {name}. Speichern lässt sich der Baum trotzdem.', { name: paket.sHQ })}
        </Notice>
      )}
      {karte && (
        <LageWahl
          paket={paket}
          stelle={da ? { lon, lat } : null}
          onStelle={(stelle) => {
            setze(stelle, null, 'karte')
            setKarte(false)
          }}
          onClose={() => setKarte(false)}
        />
      )}
    </section>
  )
}
