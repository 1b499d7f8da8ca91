import type { TextModuleKind } from '#domain/text-module.ts'
import type { TextModuleFault, TemplateFault } from '#domain/template.ts'
import { t } from '../../../ui/text.ts'
import { numberFault } from '../number-words.ts'

export function textModuleKindText(art: TextModuleKind): string {
  switch (art) {
    case 'anrede':
      return t('Anrede')
    case 'anschreiben':
      return t('Anschreiben')
    case 'zuerl':
      return t('Schlusstext')
    case 'mail':
      return t('E-Mail')
    case 'mahnung':
      return t('Mahnung')
  }
}

export function templateFaultText(
  fault: TemplateFault,
  { longest, decimals }: { longest: number; decimals: number },
): string {
  switch (fault) {
    case 'zu_lang':
      return t('Höchstens {n} Zeichen.', { n: longest })
    case 'satz':
      return t('Der Steuersatz liegt zwischen 0 und 99 % und hat höchstens zwei Stellen nach dem Komma.')
    default:
      return numberFault(fault, decimals)
  }
}

export function textModuleFaultText(fault: TextModuleFault, longest: number): string {
  if (typeof fault === 'object')
    return t(
      'Kein Platzhalter: {was}. Möglich sind {moeglich}; andere geschweifte Klammern bitte entfernen.',
      {
        was: fault.unbekannt.slice(0, 3).join(' '),
        moeglich: '{name}, {nummer}, {datum}, {faellig}, {betrag}',
      },
    )
  switch (fault) {
    case 'fehlt':
      return t('Diese Angabe fehlt.')
    case 'art':
      return t('Diese Art von Textbaustein gibt es nicht.')
    case 'zu_lang':
      return t('Höchstens {n} Zeichen.', { n: longest })
  }
}
