// Faults of the chain of records in words.
import type { SealFault } from '#contract/buchhaltung.ts'
import { formatNumber } from '../../../ui/format.ts'
import { t } from '../../../ui/text.ts'
import { fieldText, subjectText } from './journal-words.ts'

/** A record by its table and key: "Zahlung 12". */
function recordText({ tabelle, schluessel }: SealFault): string {
  const names: Readonly<Record<string, string>> = {
    position: t('Position'),
    dokument: t('Datei eines Belegs'),
    zahlung: t('Zahlung'),
    kontoumsatz: t('Bankumsatz'),
    mahnung: t('Mahnung'),
    versand: t('Versand'),
    eingang: t('Eingangsrechnung'),
    kreditor: t('Lieferant'),
    annahme_link: t('Link zur Annahme'),
    protokoll: t('Zeile des Protokolls'),
  }
  const subject = names[tabelle ?? ''] ?? subjectText(tabelle ?? '')
  return tabelle === 'lieferant' ? subject : `${subject} ${schluessel ?? ''}`.trim()
}

export function sealFaultText(fault: SealFault): string {
  const values = { datensatz: recordText(fault), nr: formatNumber(fault.nr ?? 0) }
  switch (fault.was) {
    case 'luecke':
      return t('Vor Siegel {nr} fehlt mindestens ein Siegel.', values)
    case 'kette':
      return t(
        'Siegel {nr} schließt nicht an das Siegel davor an: Eines von beiden wurde ausgetauscht.',
        values,
      )
    case 'von_hand':
      return t('{datensatz}: an der Anwendung vorbei geschrieben (Siegel {nr}).', values)
    case 'inhalt':
      return t('{datensatz}: nachträglich geändert ({felder}).', {
        ...values,
        felder: (fault.felder ?? []).map(fieldText).join(', '),
      })
    case 'fehlt':
      return t('{datensatz}: nicht mehr da, obwohl versiegelt (Siegel {nr}).', values)
    case 'form':
      return t('{datensatz}: nicht vergleichbar, weil eine versiegelte Spalte fehlt.', values)
    case 'ohne_eintrag':
      return t('{datensatz}: vorhanden, aber ohne Siegel.', values)
    case 'abgeschnitten':
      return t('Siegel {nr}, bis zu dem zuletzt geprüft wurde, ist nicht mehr da.', values)
    case 'summe':
      return t(
        '{datensatz}: Der offene Betrag passt nicht zu den Buchungen. Er wird nachts neu berechnet.',
        values,
      )
    case 'datei':
      return t('{datensatz}: Der gespeicherte Inhalt passt nicht zu seiner Prüfsumme.', values)
  }
}
