// Events of a document in words: the entries of the audit chain.
import { t } from '../../ui/text.ts'

/** One event name of the audit chain in words. */
export function eventText(ereignis: string): string {
  switch (ereignis) {
    case 'angelegt':
      return t('Angelegt')
    case 'geaendert':
      return t('Geändert')
    case 'geloescht':
      return t('Gelöscht')
    case 'anlage_neu':
      return t('Anlage hinzugefügt')
    case 'anlage_geaendert':
      return t('Anlage benannt')
    case 'anlage_geloescht':
      return t('Anlage entfernt')
    case 'positionen':
      return t('Positionen geändert')
    case 'position_neu':
      return t('Position hinzugefügt')
    case 'position_geaendert':
      return t('Position geändert')
    case 'position_geloescht':
      return t('Position gelöscht')
    case 'positionen_geordnet':
      return t('Positionen umgestellt')
    case 'kunde':
    case 'kunde_geaendert':
      return t('Kunde geändert')
    case 'ausgestellt':
      return t('Ausgestellt')
    case 'storniert':
      return t('Storniert')
    case 'korrigiert':
      return t('Korrigiert')
    case 'archiviert':
      return t('Ins Archiv gelegt')
    case 'aus_archiv':
      return t('Aus dem Archiv geholt')
    case 'angenommen':
      return t('Angenommen')
    case 'abgelehnt':
      return t('Abgelehnt')
    case 'link_angelegt':
      return t('Link zur Annahme erstellt')
    case 'link_zurueckgezogen':
      return t('Link zur Annahme zurückgezogen')
    case 'link_benutzt':
      return t('Über den Link beantwortet')
    case 'ersetzt':
      return t('Durch eine neue Fassung ersetzt')
    case 'kopiert':
      return t('Kopiert')
    case 'abgerechnet':
      return t('In Rechnung gestellt')
    case 'zahlung':
      return t('Zahlung eingetragen')
    case 'zahlung_zurueck':
      return t('Zahlung zurückgenommen')
    case 'eingelesen':
      return t('Kontoauszug eingelesen')
    case 'eingegangen':
      return t('Eingegangen')
    case 'freigegeben':
      return t('Freigegeben')
    case 'erledigt':
      return t('Als nicht zugehörig markiert')
    case 'wieder_offen':
      return t('Wieder geöffnet')
    case 'erteilt':
      return t('Erteilt')
    case 'beendet':
      return t('Beendet')
    case 'belege':
      return t('Belegbilder exportiert')
    case 'exportiert':
      return t('Exportiert')
    case 'verweigert':
      return t('Änderung abgewiesen')
    case 'gemahnt':
      return t('Gemahnt')
    case 'versand':
      return t('Versand begonnen')
    case 'versendet':
      return t('Versendet')
    case 'versand_zurueck':
      return t('Versand zurückgezogen')
    case 'versand_fehler':
      return t('Versand gescheitert')
    default:
      return ereignis.replaceAll('_', ' ')
  }
}
