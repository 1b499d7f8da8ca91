// /buchhaltung/rechnungen/rechnung/update/{update_id}: the draft of an invoice.
import { useQuery } from '@tanstack/react-query'
import { useCallback } from 'react'
import type { BelegSkonto, Rechnungsformat } from '#domain/beleg.ts'
import { rpc } from '../../../data/rpc.ts'
import { useRecordForm } from '../../../record/use-record-form.ts'
import { ButtonLink } from '../../../ui/Button.tsx'
import { Card } from '../../../ui/Display.tsx'
import { SelectField, TextField } from '../../../ui/Field.tsx'
import { formatDate } from '../../../ui/format.ts'
import { Page } from '../../../ui/Page.tsx'
import { EmptyState } from '../../../ui/States.tsx'
import { t } from '../../../ui/text.ts'
import { useView } from '../../../ui/view.tsx'
import { fensterQuery } from '../beleg.data.ts'
import { BelegLaden } from '../BelegLaden.tsx'
import { KundeWechsel } from '../KundeWechsel.tsx'
import { EntwurfLoeschen } from '../EntwurfLoeschen.tsx'
import { EntwurfSeite, type Felder } from '../EntwurfSeite.tsx'
import { type FeldWerte, formatText } from '../entwurf-words.ts'
import { SkontoFeld } from '../SkontoFeld.tsx'
import { RECHNUNG, RECHNUNG_FELDER, type RechnungEntwurf, type RechnungFeld, rechnungEntwurf, useSaveRechnung } from './rechnung-kind.ts'

export function RechnungEntwurfPage() {
  const { params } = useView()
  const id = params['update_id'] ?? ''
  const query = useQuery(rechnungEntwurf(id))
  return (
    <BelegLaden query={query} sorte="rechnung" id={id}>
      {(rechnung) =>
        rechnung.zustand === 'entwurf' ? (
          <Entwurf key={id} rechnung={rechnung} />
        ) : (
          <Page title={t('Rechnung {nummer}', { nummer: rechnung.nummer ?? '' })}>
            <Card>
              <EmptyState
                icon="lock"
                title={t('Diese Rechnung ist ausgestellt')}
                action={
                  <ButtonLink variant="primary" href={`/buchhaltung/rechnungen/rechnung/${id}`}>
                    {t('Zur Rechnung')}
                  </ButtonLink>
                }
              >
                {t('Ausgestellte Rechnungen lassen sich nicht ändern. Stornieren Sie die Rechnung, und stellen Sie eine Kopie aus.')}
              </EmptyState>
            </Card>
          </Page>
        )
      }
    </BelegLaden>
  )
}

function werteOf(wert: (field: RechnungFeld) => string | number | null): FeldWerte {
  const text = (field: RechnungFeld) => String(wert(field) ?? '')
  const skonto = wert('skonto')
  const format = wert('format')
  return {
    beleg: {
      bearbeiter: text('bearbeiter'),
      datum: text('rn_datum'),
      le_date: wert('le_date') as string | null,
      le_date_bis: wert('le_date_bis') as string | null,
      anrede: text('anrede'),
      anschreiben: text('anschreiben'),
      zuerl: text('zuerl'),
      ust_satz: text('ust_satz'),
      rabatt_prozent: text('rabatt_prozent'),
      rabatt_grund: text('rabatt_grund'),
      ...(skonto !== null && { skonto: JSON.parse(String(skonto)) as BelegSkonto[] }),
      ...(format !== null && { format: format as Rechnungsformat }),
    },
    bestellnummer: wert('bestellnummer') as string | null,
    anzahlung: text('anzahlung'),
  }
}

function Entwurf({ rechnung }: { rechnung: RechnungEntwurf }) {
  const id = String(rechnung.id)
  const save = useSaveRechnung(id)
  const editor = useRecordForm(RECHNUNG, rechnung, save)
  const fenster = useQuery(fensterQuery('rechnung', rechnung.rn_datum)).data
  const issue = useCallback(
    async (version: number, mehr: boolean) => {
      const [issued] = await rpc('a_issue_invoice', { invoice_id: id, version, mehr })
      return { nummer: issued?.nummer ?? '', datum: issued?.rn_datum ?? '' }
    },
    [id],
  )
  const kopf = ({ bind }: Felder<RechnungFeld>) => (
    <>
      <TextField
        {...bind('rn_datum')}
        required
        placeholder={t('TT.MM.JJJJ')}
        autoComplete="off"
        hint={
          fenster &&
          (fenster.min === null
            ? t('bis {max}', { max: formatDate(fenster.max) })
            : t('{min} bis {max}', { min: formatDate(fenster.min), max: formatDate(fenster.max) }))
        }
      />
      <TextField {...bind('le_date')} placeholder={t('TT.MM.JJJJ')} autoComplete="off" />
      <TextField {...bind('le_date_bis')} placeholder={t('TT.MM.JJJJ')} autoComplete="off" hint={t('leer bei einem einzigen Tag')} />
      <TextField {...bind('ust_satz')} required unit="%" inputMode="decimal" autoComplete="off" />
      <TextField {...bind('bearbeiter')} maxLength={100} autoComplete="off" />
      <TextField {...bind('bestellnummer')} maxLength={100} autoComplete="off" hint={t('leer: die des Kunden')} />
    </>
  )
  const konditionen = ({ bind, form, set }: Felder<RechnungFeld>) => (
    <>
      <TextField {...bind('zahlungsziel')} unit={t('Tage')} inputMode="numeric" autoComplete="off" hint={t('leer: das des Kunden')} />
      <SelectField
        {...bind('format')}
        emptyOption={t('wie beim Kunden')}
        options={(['zugferd', 'xrechnung', 'pdf'] as const).map((value) => ({ value, label: formatText(value) }))}
      />
      <TextField {...bind('rabatt_prozent')} unit="%" inputMode="decimal" autoComplete="off" />
      <TextField {...bind('rabatt_grund')} maxLength={200} autoComplete="off" />
      <TextField {...bind('anzahlung')} unit="€" inputMode="decimal" autoComplete="off" />
      <SkontoWatch form={form} set={set} />
    </>
  )
  return (
    <EntwurfSeite
      sorte="rechnung"
      title={t('Rechnung schreiben')}
      row={rechnung}
      editor={editor}
      defs={RECHNUNG_FELDER}
      datum="rn_datum"
      kopf={kopf}
      konditionen={konditionen}
      werteOf={werteOf}
      issueTitle={t('Rechnung ausstellen?')}
      issue={issue}
      detailHref={`/buchhaltung/rechnungen/rechnung/${id}`}
      more={
        <>
          <KundeWechsel sorte="rechnung" id={id} kunde={rechnung.kunde} />
          <EntwurfLoeschen sorte="rechnung" id={id} version={rechnung.version} name={rechnung.kunde} />
        </>
      }
    />
  )
}

function SkontoWatch({ form, set }: Pick<Felder<RechnungFeld>, 'form' | 'set'>) {
  const value = form.watch('skonto')
  return <SkontoFeld value={value} error={form.formState.errors.skonto?.message} onChange={(text) => set('skonto', text)} />
}
