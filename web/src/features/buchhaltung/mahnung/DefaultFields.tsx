// Interest and lump sum of one reminder (§ 288 BGB): both by choice, with what is computed.
import type { MahnListRow } from '#contract/zahlung.ts'
import { decimal, formatEuro, formatGerman } from '#domain/geld.ts'
import { interestSum } from '#domain/interest.ts'
import type { DialogForm } from '../../../record/use-dialog-form.ts'
import { DateField } from '../../../ui/DateField.tsx'
import { Notice } from '../../../ui/Display.tsx'
import { Checkbox } from '../../../ui/Field.tsx'
import { formatDate, formatNumber } from '../../../ui/format.ts'
import { t } from '../../../ui/text.ts'
import { interestName, interestOf, lumpName, type MahnValues, ON, sinceName, takesLump } from './mahn-form.ts'

interface Props {
  row: MahnListRow
  form: DialogForm<MahnValues>
  interest: ReturnType<typeof interestOf>
}

export function DefaultFields({ row, form, interest }: Props) {
  const wanted = form.values[interestName(row)] === ON
  const flag = (name: string) => ({
    checked: form.values[name] === ON,
    onChange: ({ target }: { target: { checked: boolean } }) =>
      form.set({ [name]: target.checked ? ON : '' }),
  })
  return (
    <div className="mahn-default">
      <Checkbox
        label={t('Verzugszinsen verlangen')}
        hint={
          row.privat
            ? t('Fünf Prozentpunkte über dem Basiszinssatz (§ 288 Abs. 1 BGB).')
            : t('Neun Prozentpunkte über dem Basiszinssatz (§ 288 Abs. 2 BGB).')
        }
        {...flag(interestName(row))}
      />
      {wanted && (
        <DateField
          label={t('Zinsen ab')}
          required
          hint={
            row.privat
              ? t(
                  'Privatpersonen sind ab der ersten Mahnung in Verzug, oder dreißig Tage nach Fälligkeit und ' +
                    'Zugang, wenn die Rechnung darauf hinweist (§ 286 BGB).',
                )
              : t('Tag nach der Fälligkeit, wenn sie vereinbart war (§ 286 Abs. 2 Nr. 1 BGB).')
          }
          {...form.text(sinceName(row))}
        />
      )}
      {interest !== null && <Reckoning interest={interest} />}
      {takesLump(row) && (
        <Checkbox
          label={t('Pauschale von 40 € verlangen')}
          hint={t('Einmal je Rechnung, nur von Unternehmen (§ 288 Abs. 5 BGB).')}
          {...flag(lumpName(row))}
        />
      )}
      {!row.privat && !takesLump(row) && (
        <p className="soft">{t('Die Pauschale von 40 € ist schon verlangt.')}</p>
      )}
    </div>
  )
}

const percent = (value: string): string => `${formatGerman(decimal(value), { atLeast: 2 })}\u00A0%`

function Reckoning({ interest }: { interest: NonNullable<Props['interest']> }) {
  if ('fehlt' in interest)
    return (
      <Notice tone="warning" title={t('Der Basiszinssatz fehlt')}>
        {t(
          'Für das Halbjahr ab {tag} ist keiner eingetragen. Er steht auf bundesbank.de unter „Basiszinssatz“.',
          { tag: formatDate(interest.fehlt) },
        )}{' '}
        <a href="/buchhaltung/einstellungen">{t('In den Einstellungen eintragen')}</a>
      </Notice>
    )
  return (
    <ul className="mahn-interest" aria-label={t('Berechnung der Zinsen')}>
      {interest.zeilen.map((row) => (
        <li key={row.von} className="soft nums">
          {t('{von} bis {bis} (Tage: {tage}), {betrag} zu {satz} = {zinsen}', {
            von: formatDate(row.von),
            bis: formatDate(row.bis),
            tage: formatNumber(row.tage),
            betrag: formatEuro(row.betrag),
            satz: percent(row.satz),
            zinsen: formatEuro(row.zinsen),
          })}
        </li>
      ))}
      <li>{t('Zinsen bis heute: {betrag}', { betrag: formatEuro(interestSum(interest.zeilen)) })}</li>
    </ul>
  )
}
