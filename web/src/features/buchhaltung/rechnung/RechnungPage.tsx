// /buchhaltung/rechnungen/rechnung/{id}: one invoice, draft or issued, with the real PDF beside its data.
import { useState } from 'react'
import type { Beleg } from '#domain/beleg.ts'
import { add, decimal, formatEuro, formatGerman, negateText, sign } from '#domain/geld.ts'
import { maskIban } from '#domain/iban.ts'
import { rpc } from '../../../data/rpc.ts'
import { AnlagenCard } from '../../../record/beleg/AnlagenList.tsx'
import { messageOf } from '../../../record/record-faults.ts'
import { Button } from '../../../ui/Button.tsx'
import { DateText, type Fact, fact } from '../../../ui/Display.tsx'
import { formatDate } from '../../../ui/format.ts'
import { splitOff } from '../../../ui/split-off.tsx'
import { t } from '../../../ui/text.ts'
import { toast } from '../../../ui/toasts.ts'
import { useView } from '../../../ui/view.tsx'
import { type BelegKind, BelegView, issuedFact } from '../BelegView.tsx'
import { KundeLink, KundeTermsLink } from '../KundeLink.tsx'
import { type Rechnung, rechnungQuery, useBelegAct } from '../beleg.data.ts'
import { formatText, invoiceKindText, RECHNUNG_TONES, rechnungStateText } from '../draft-words.ts'
import { moreFacts } from '../place-fields.ts'
import { MahnHistory } from '../mahnung/MahnHistory.tsx'
import { ANGEBOT_KIND, RECHNUNG_KIND } from '../beleg-kinds.ts'
import { FirstDispatch, DispatchCard } from '../dispatch/DispatchCard.tsx'
import { Collection } from '../sepa/Collection.tsx'
import { Advances } from './Advances.tsx'
import { Zahlungen } from './Zahlungen.tsx'

const StornoDialog = splitOff(async () => (await import('./StornoDialog.tsx')).StornoDialog)
const KorrekturDialog = splitOff(
  async () => (await import('./korrektur/KorrekturDialog.tsx')).KorrekturDialog,
)
const NewSerieDialog = splitOff(async () => (await import('../serie/SerieDialog.tsx')).NewSerieDialog)
const Korrekturen = splitOff(async () => (await import('./korrektur/Korrekturen.tsx')).Korrekturen)
const KorrekturCheck = splitOff(async () => (await import('./korrektur/Korrekturen.tsx')).KorrekturCheck)
const KorrekturActs = splitOff(async () => (await import('./korrektur/Korrekturen.tsx')).KorrekturActs)

const { record, draft } = RECHNUNG_KIND
/** Claims nothing: it takes back what another invoice claims. */
const takesBack = ({ art }: Rechnung): boolean => art === 'storno' || art === 'korrektur'
const isCorrectable = ({ art, storno_id }: Rechnung): boolean =>
  (art === 'rechnung' || art === 'schluss') && storno_id === null
const isCorrected = ({ korrigiert }: Rechnung): boolean => sign(decimal(korrigiert)) !== 0
const nameOf = ({ art, nummer }: Rechnung): string =>
  nummer === null
    ? art === 'rechnung'
      ? t('Rechnungsentwurf')
      : t('{art}, Entwurf', { art: invoiceKindText(art) })
    : `${invoiceKindText(art)} ${nummer}`

const RECHNUNG_SPEC: BelegKind<Rechnung> = {
  docKind: RECHNUNG_KIND,
  query: rechnungQuery,
  name: nameOf,
  isDraft: ({ zustand }) => zustand === 'entwurf',
  stand: ({ stand }) => ({ text: rechnungStateText(stand), tone: RECHNUNG_TONES[stand] }),
  hasXml: true,
  facts: factsOf,
  acts: (rechnung) => <ActionBar rechnung={rechnung} />,
  draftActs: (rechnung) => (rechnung.art === 'korrektur' ? <KorrekturActs rechnung={rechnung} /> : null),
  cards: (rechnung) => (
    <>
      {rechnung.zustand !== 'entwurf' && isCorrectable(rechnung) && <Korrekturen rechnung={rechnung} />}
      <AnlagenCard invoice={rechnung.id} />
      {rechnung.zustand !== 'entwurf' && <DispatchCard art="rechnung" id={String(rechnung.id)} />}
      {rechnung.art === 'schluss' && <Advances rechnung={rechnung} />}
      {rechnung.art === 'korrektur' && rechnung.zustand === 'entwurf' && (
        <KorrekturCheck rechnung={rechnung} />
      )}
      {rechnung.zustand !== 'entwurf' && !takesBack(rechnung) && (
        <>
          <Collection rechnung={rechnung} />
          <Zahlungen rechnung={rechnung} />
          <MahnHistory rechnung={rechnung} />
        </>
      )}
    </>
  ),
}
export const RechnungPage = () => <BelegView art={RECHNUNG_SPEC} />

function factsOf(rechnung: Rechnung, beleg: Beleg | undefined): Fact[] {
  const link = (href: string, text: string) => <a href={href}>{text}</a>
  const period =
    rechnung.le_date_bis === null
      ? formatDate(rechnung.le_date)
      : `${formatDate(rechnung.le_date)} – ${formatDate(rechnung.le_date_bis)}`
  const related = [
    rechnung.storno_von !== null &&
      fact(t('Nimmt zurück'), link(record(rechnung.storno_von), t('stornierte Rechnung'))),
    rechnung.storno_id !== null &&
      fact(t('Storniert durch'), link(record(rechnung.storno_id), t('Stornorechnung'))),
    rechnung.korrektur_von !== null &&
      fact(t('Korrigiert'), link(record(rechnung.korrektur_von), rechnung.korrektur_von_nummer ?? '')),
    rechnung.schluss_id !== null &&
      fact(t('Verrechnet mit'), link(record(rechnung.schluss_id), rechnung.schluss_nummer ?? '')),
    rechnung.kopie_von !== null && fact(t('Kopie von'), link(record(rechnung.kopie_von), t('Rechnung'))),
    rechnung.angebot_id !== null &&
      fact(t('Zum Angebot'), link(ANGEBOT_KIND.record(rechnung.angebot_id), t('Angebot'))),
    rechnung.storno_grund !== '' && fact(t('Grund des Stornos'), rechnung.storno_grund),
  ].filter((one) => one !== false)
  return [
    fact(t('Kunde'), <KundeLink {...rechnung} />),
    fact(t('Rechnungsangaben'), <KundeTermsLink {...rechnung} />),
    fact(t('Rechnungsdatum'), <DateText value={rechnung.rn_datum} />),
    fact(t('Leistung'), period),
    fact(t('Fällig'), <DateText value={beleg?.faellig ?? rechnung.faellig} />),
    ...(beleg?.einzug === undefined
      ? []
      : [
          fact(
            t('Einzug'),
            t('vom Konto {konto}, Mandat {mandat}', {
              konto: maskIban(beleg.einzug.iban),
              mandat: beleg.einzug.mandat,
            }),
          ),
        ]),
    fact(t('Brutto'), formatEuro(rechnung.brutto)),
    ...(isCorrected(rechnung)
      ? [
          fact(t('Durch Korrekturen'), formatEuro(rechnung.korrigiert)),
          fact(t('Es verbleiben'), formatEuro(add(decimal(rechnung.brutto), decimal(rechnung.korrigiert)))),
        ]
      : []),
    ...(rechnung.zustand === 'entwurf' || takesBack(rechnung)
      ? []
      : [
          fact(t('Bezahlt'), formatEuro(rechnung.bezahlt)),
          sign(decimal(rechnung.offen)) < 0
            ? fact(t('Zurückzuzahlen'), formatEuro(negateText(rechnung.offen)))
            : fact(t('Offen'), formatEuro(rechnung.offen)),
        ]),
    // From the document: if the draft sets nothing, the customer's terms or the settings apply.
    fact(
      t('Skonto'),
      beleg?.skonto
        .map(({ tage, prozent }) =>
          t('{tage} Tage {prozent} %', { tage, prozent: formatGerman(decimal(prozent)) }),
        )
        .join(', '),
    ),
    fact(t('Format'), beleg && formatOf(beleg)),
    fact(t('Bestellnummer des Kunden'), beleg?.empfaenger.bestellnummer ?? rechnung.bestellnummer),
    ...(beleg ? moreFacts(beleg) : []),
    fact(t('Bearbeiter'), rechnung.bearbeiter),
    ...issuedFact(rechnung),
    ...related,
  ]
}

const formatOf = ({ format, syntax }: Beleg): string =>
  format === 'xrechnung' && syntax === 'ubl' ? `${formatText(format)}, UBL` : formatText(format)

/** States that can be archived. The database decides; these are the ones it accepts. */
const ARCHIVABLE: ReadonlySet<string> = new Set([
  'bezahlt',
  'verrechnet',
  'storniert',
  'storno',
  'korrigiert',
  'korrektur',
])

function ActionBar({ rechnung }: { rechnung: Rechnung }) {
  const view = useView()
  const { id } = rechnung
  const [open, setOpen] = useState<'storno' | 'korrektur' | 'serie' | null>(null)
  const failed = (error: unknown) => toast.error(messageOf(error))
  const copy = useBelegAct(() => rpc('a_copy_invoice', { invoice_id: id }))
  const archive = useBelegAct((archived: boolean) =>
    rpc('a_set_archive_for_rn', { invoice_id: id, archiviert: archived }),
  )
  return (
    <>
      {!takesBack(rechnung) && rechnung.schluss_id === null && (
        <Button
          busy={copy.isPending}
          onClick={() =>
            copy.mutate(undefined, { onSuccess: (made) => view.go(draft(made)), onError: failed })
          }
        >
          {t('Kopie als Entwurf')}
        </Button>
      )}
      {(rechnung.archiviert || ARCHIVABLE.has(rechnung.stand)) && (
        <Button
          busy={archive.isPending}
          onClick={() =>
            archive.mutate(!rechnung.archiviert, {
              onSuccess: (is) =>
                toast.success(
                  is ? t('Die Rechnung liegt im Archiv.') : t('Die Rechnung ist wieder in der Liste.'),
                ),
              onError: failed,
            })
          }
        >
          {rechnung.archiviert ? t('Aus dem Archiv holen') : t('Archivieren')}
        </Button>
      )}
      {rechnung.art === 'rechnung' && (
        <Button onClick={() => setOpen('serie')}>{t('Wiederkehrend einrichten')}</Button>
      )}
      {isCorrectable(rechnung) && <Button onClick={() => setOpen('korrektur')}>{t('Korrigieren')}</Button>}
      {!takesBack(rechnung) &&
        !isCorrected(rechnung) &&
        rechnung.storno_id === null &&
        rechnung.schluss_id === null && <Button onClick={() => setOpen('storno')}>{t('Stornieren')}</Button>}
      <FirstDispatch art="rechnung" id={String(id)} label={t('Rechnung versenden')} />
      {open === 'serie' && <NewSerieDialog invoice={rechnung.id} onClose={() => setOpen(null)} />}
      {open === 'storno' && <StornoDialog rechnung={rechnung} onClose={() => setOpen(null)} />}
      {open === 'korrektur' && <KorrekturDialog rechnung={rechnung} onClose={() => setOpen(null)} />}
    </>
  )
}
