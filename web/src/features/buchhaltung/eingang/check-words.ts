// By which rules a received invoice was checked, and what these rules see and do not see.
import type { EingangFormat } from '#contract/eingang.ts'
import type { officialOf, OfficialReason } from '#domain/eingang/official.ts'
import { t } from '../../../ui/text.ts'

function reasonText(reason: OfficialReason): string {
  switch (reason) {
    case 'start':
      return t('Java ließ sich nicht starten')
    case 'zeit':
      return t('sie dauerte zu lange')
    case 'speicher':
      return t('sie brauchte zu viel Speicher')
    case 'abbruch':
      return t('das Prüfprogramm brach ab')
    case 'profil':
      return t('für das Profil dieser Datei sind hier keine amtlichen Regeln eingerichtet')
    case 'viele':
      return t('die E-Mail brachte mehr Dateien, als auf einmal geprüft werden')
  }
}

export function checkedText(
  format: EingangFormat,
  official: ReturnType<typeof officialOf>,
  own: string,
): string {
  if (format === 'pdf')
    return t(
      'Ein PDF ohne E-Rechnung wird nicht nachgerechnet; die amtlichen Regeln gelten nur für E-Rechnungen.',
    )
  if (official === null)
    return t(
      'Geprüft nach unseren eigenen Regeln ({regeln}); die amtlichen Regeln waren beim Eingang hier nicht ' +
        'eingerichtet.',
      { regeln: own },
    )
  return 'version' in official
    ? t('Geprüft nach den amtlichen Regeln (Version {version}) und nach unseren eigenen ({regeln}).', {
        version: official.version,
        regeln: own,
      })
    : t(
        'Geprüft nach unseren eigenen Regeln ({regeln}). Die Prüfung nach den amtlichen Regeln ist gescheitert: ' +
          '{grund}.',
        { regeln: own, grund: reasonText(official.reason) },
      )
}

export const differenceText = (isOfficial: boolean): string =>
  isOfficial
    ? t(
        'Unsere Regeln rechnen Summen und Steuer auf den Cent nach; nach den amtlichen darf die Steuer je Satz um ' +
          'bis zu 0,99 € abweichen. Unsere fragen außerdem nach den Pflichtangaben des § 14 Abs. 4 UStG, nach IBAN ' +
          'und USt-IdNr. Schema, Codelisten und die Zusatzregeln der XRechnung (BR-DE) prüfen nur die amtlichen.',
      )
    : t(
        'Unsere Regeln prüfen Summen und Steuer auf den Cent, Pflichtangaben nach EN 16931 und § 14 Abs. 4 UStG und ' +
          'Formate. Schema, Codelisten und die Zusatzregeln der XRechnung (BR-DE) prüfen nur die amtlichen Regeln; ' +
          'sie bleiben hier ungeprüft.',
      )
