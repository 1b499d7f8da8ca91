// What an import leaves out of a file, before it is applied.
import type { ValueNote, ImportLoss, LossKind } from '#domain/vermessung/losses.ts'
import { Notice } from '../../ui/Display.tsx'
import { formatNumber } from '../../ui/format.ts'
import { t } from '../../ui/text.ts'

const SHOWN_NAMES = 12

const TEXTS: Readonly<Record<Exclude<LossKind, ValueNote>, (count: string, names: string) => string>> = {
  spalten: (n, names) => t('Spalten ohne Feld ({n}): {names}', { n, names }),
  elemente: (n, names) => t('Nicht übernommene Teile der Datei ({n}): {names}', { n, names }),
  hoehen: (n) =>
    t(
      'Objekte, deren Höhen ganz oder zum Teil entfallen ({n}): In der Vermessung bleibt die Höhe eines Punkts, von ' +
        'einer Linie Sohlhöhe und Gefälle, wenn an beiden Enden eine Höhe steht (0 ist keine); eine Spalte geht vor. ' +
        'Alle anderen Höhen entfallen.',
      { n },
    ),
  masse: (n) => t('Objekte mit Messwerten M ({n}): Die Messwerte entfallen.', { n }),
  sicht: () =>
    t(
      'Diese Sicht (View) wird nicht gelesen. Speichern Sie sie in Ihrem GIS als Tabelle, und importieren ' +
        'Sie diese.',
    ),
  tabelle: () =>
    t(
      'Diese Tabelle wird nicht gelesen: Ihr fehlt die Angabe der Geometrie, oder die Datei berechnet Spalten ' +
        'selbst. Bitte exportieren Sie sie in Ihrem GIS neu.',
    ),
  zellen: (n, names) =>
    t(
      'Zeilen mit Zellen hinter der letzten Überschrift ({n}), Nr. {names}: Diese Zellen entfallen. Bitte prüfen ' +
        'Sie, ob eine Überschrift fehlt oder ein Text das Trennzeichen enthält.',
      { n, names },
    ),
  dateien: (n, names) =>
    t('Dateien im ZIP, die nicht gelesen werden ({n}): {names}. Bitte importieren Sie sie einzeln.', {
      n,
      names,
    }),
  boegen: (n) =>
    t('Objekte mit Bögen ({n}): Bögen werden auf einen Zentimeter genau durch Strecken ersetzt.', { n }),
}

const VALUE_TEXTS: Readonly<Record<ValueNote, (count: string, names: string) => string>> = {
  einheit: (n, names) =>
    t('Die Überschrift nennt eine andere Einheit, die Werte werden umgerechnet ({n}): {names}', { n, names }),
  einheit_fraglich: (n, names) =>
    t(
      'Stimmt die Einheit dieser Spalten ({n}): {names}? Ihre Werte sind ungewöhnlich. Die Einheit lässt sich in der ' +
        'Überschrift nennen, zum Beispiel „Tiefe (cm)“.',
      { n, names },
    ),
  flaeche_m2: (n, names) =>
    t('Die Spalte {names} wird als Quadratmeter gelesen und in Hektar umgerechnet (Zeilen: {n}).', {
      n,
      names,
    }),
  flaeche_ar: (n, names) =>
    t('Die Spalte {names} wird als Ar gelesen und in Hektar umgerechnet (Zeilen: {n}).', { n, names }),
  vorrat_je_ha: (n, names) =>
    t(
      'Die Spalte {names} nennt den Vorrat je Hektar; er wird mit der Fläche multipliziert, ohne Fläche entfällt er ' +
        '(Zeilen: {n}).',
      { n, names },
    ),
  vorrat_efm: (n, names) =>
    t(
      'Die Spalte {names} nennt Erntefestmeter; die Zahlen werden unverändert als Vorratsfestmeter übernommen ' +
        '(Zeilen: {n}). Rechnen Sie sie vorher um, wenn Sie Vorräte vergleichen wollen.',
      { n, names },
    ),
  art_enger: (n, names) =>
    t(
      'Diese Wörter nennen nur die Gattung, übernommen wird eine Art (Zeilen: {n}): {names}. Ist eine andere ' +
        'gemeint, schreiben Sie deren Namen in die Datei. Das Wort bleibt in „Baumart in Worten“.',
      { n, names },
    ),
  flaeche_anders: (n) =>
    t('Die Angabe der Fläche passt nicht zum Umriss (Bestände: {n}). Übernommen wird die Angabe:', { n }),
}
const isValueNote = (kind: LossKind): kind is ValueNote => kind in VALUE_TEXTS

function namesOf({ spalten = [] }: ImportLoss): string {
  const shown = spalten.slice(0, SHOWN_NAMES).join(', ')
  return spalten.length > SHOWN_NAMES
    ? t('{names} und {n} weitere', { names: shown, n: spalten.length - SHOWN_NAMES })
    : shown
}

export function LossNotice({ hinweise }: { hinweise: readonly ImportLoss[] }) {
  const lost = hinweise.filter(({ art }) => !isValueNote(art))
  return (
    <>
      {lost.length > 0 && <Lost hinweise={lost} />}
      <ValueNotes hinweise={hinweise.filter(({ art }) => isValueNote(art))} />
    </>
  )
}

function Lost({ hinweise }: { hinweise: readonly ImportLoss[] }) {
  return (
    <Notice tone="info" title={t('Nicht alles aus der Datei wird übernommen')}>
      <ul>
        {hinweise.map((loss) => (
          <li key={`${loss.schicht} ${loss.art}`}>
            {loss.schicht}: {TEXTS[loss.art as keyof typeof TEXTS](formatNumber(loss.anzahl), namesOf(loss))}
          </li>
        ))}
      </ul>
    </Notice>
  )
}

function ValueNotes({ hinweise }: { hinweise: readonly ImportLoss[] }) {
  if (hinweise.length === 0) return null
  return (
    <Notice tone="warning" title={t('Bitte prüfen Sie diese Angaben')}>
      <ul>
        {hinweise.map((note) => (
          <li key={`${note.schicht} ${note.art}`}>
            {note.schicht}: {VALUE_TEXTS[note.art as ValueNote](formatNumber(note.anzahl), namesOf(note))}
            {note.others !== undefined && (
              <ul>
                {note.others.map(({ nr, stated, outline }) => (
                  <li key={nr}>
                    {t('Nr. {nr}: {stated} ha, der Umriss hat {outline} ha', {
                      nr: formatNumber(nr),
                      stated: formatNumber(stated, 2),
                      outline: formatNumber(outline, 2),
                    })}
                  </li>
                ))}
              </ul>
            )}
          </li>
        ))}
      </ul>
    </Notice>
  )
}
