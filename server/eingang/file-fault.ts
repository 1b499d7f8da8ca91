// Why a file is not taken in. The browser has the sentence for the code; other callers get this one.
import type { EingangFileRule } from '#contract/eingang.ts'

export const FILE_RULES: Readonly<Record<EingangFileRule, string>> = {
  eingang_art:
    'Diese Datei ist weder ein PDF noch eine E-Rechnung. Möglich sind XRechnung und ZUGFeRD (XML oder PDF).',
  eingang_leer: 'Diese Datei ist leer.',
  eingang_gross: 'Diese Datei ist zu groß. Sie darf höchstens 20 MB haben.',
  eingang_zeichen:
    'Die Zeichen dieser Datei lassen sich nicht lesen. Bitte bitten Sie den Absender um eine Datei in UTF-8.',
  eingang_xml: 'Diese XML-Datei ist beschädigt und deshalb keine Rechnung. Bitte fordern Sie eine neue an.',
  eingang_dtd:
    'Diese XML-Datei enthält eine Dokumenttyp-Definition. So etwas gehört in keine Rechnung und wird nicht gelesen.',
  eingang_umfang: 'Diese Datei ist zu umfangreich oder zu verschachtelt für eine Rechnung.',
  eingang_fremd: 'Diese XML-Datei ist keine Rechnung. Möglich sind UBL (Invoice, CreditNote) und CII.',
  eingang_zugferd_1: 'Diese Datei ist ZUGFeRD 1.0. Das ist keine E-Rechnung; bitte laden Sie das PDF hoch.',
  eingang_aufwand: 'Diese Datei war nicht in angemessener Zeit zu lesen. Bitte prüfen Sie, woher sie kommt.',
}

export class FileFault extends Error {
  override readonly name = 'FileFault'
  readonly code: EingangFileRule
  constructor(code: EingangFileRule) {
    super(code)
    this.code = code
  }
}
