// Every key that the screens listen to, by where it works. shortcuts.test.ts compares the table with the files
// that handle the keys.
import { t } from '../../ui/text.ts'

export interface Shortcut {
  /** Each is one way to press it: 'Control+K'. */
  readonly keys: readonly string[]
  readonly does: string
}
export interface ShortcutGroup {
  readonly title: string
  /** Selector of what the keys work in; the group is shown while such an element is in sight. */
  readonly where: string
  /** The files that handle the keys, below web/src. */
  readonly from: readonly string[]
  readonly keys: readonly Shortcut[]
}

const UP_DOWN = ['ArrowUp', 'ArrowDown'] as const
const LEFT_RIGHT = ['ArrowLeft', 'ArrowRight'] as const
const ENDS = ['Home', 'End'] as const

const everywhere = (): ShortcutGroup => ({
  title: t('Überall'),
  where: '#inhalt',
  from: ['app/jump/JumpButton.tsx', 'app/shortcuts/ShortcutsKey.tsx'],
  keys: [
    { keys: ['Control+K'], does: t('Suchen und zu einer Seite oder einem Datensatz springen') },
    { keys: ['?'], does: t('Diese Tastenkürzel zeigen') },
  ],
})

const menu = (): ShortcutGroup => ({
  title: t('Menü'),
  where: '.sidebar-list',
  from: ['app/shell/MenuList.tsx'],
  keys: [
    { keys: [...UP_DOWN, ...ENDS], does: t('Von Eintrag zu Eintrag, zum ersten oder letzten') },
    { keys: LEFT_RIGHT, does: t('Gruppe zu- oder aufklappen') },
    { keys: ['Escape'], does: t('Namen neben dem Eintrag ausblenden') },
  ],
})

const tabs = (): ShortcutGroup => ({
  title: t('Reiter'),
  where: '.tabs-pane',
  from: ['app/views/TabsBar.tsx'],
  keys: [
    { keys: [...LEFT_RIGHT, ...ENDS], does: t('Von Reiter zu Reiter') },
    { keys: ['Delete'], does: t('Reiter schließen') },
  ],
})

const list = (): ShortcutGroup => ({
  title: t('Liste'),
  where: 'a[data-row-link]',
  from: ['ui/DataTable.tsx'],
  keys: [
    { keys: [...UP_DOWN, ...ENDS], does: t('Von Zeile zu Zeile, zur ersten oder letzten') },
    { keys: ['Enter'], does: t('Zeile öffnen') },
  ],
})

const head = (): ShortcutGroup => ({
  title: t('Kopf der Liste'),
  where: '.list-toolbar ~ .table-frame .sort-button',
  from: ['list/HeadTools.tsx'],
  keys: [
    { keys: ['Shift+ArrowLeft', 'Shift+ArrowRight'], does: t('Spalte schmaler oder breiter') },
    {
      keys: ['Control+Shift+ArrowLeft', 'Control+Shift+ArrowRight'],
      does: t('Spalte nach vorn oder hinten'),
    },
  ],
})

const changes = (): ShortcutGroup => ({
  title: t('Zellen ändern'),
  where: '.cell-mode',
  from: ['list/CellModeButton.tsx', 'list/cell-grid.ts', 'list/CellMode.tsx'],
  keys: [
    { keys: ['F2'], does: t('Auf einer Zeile oder Zelle: ändern') },
    { keys: ['Enter'], does: t('Zelle öffnen, danach speichern') },
    { keys: ['Tab'], does: t('Speichern und zur nächsten Zelle') },
    { keys: [...UP_DOWN, ...LEFT_RIGHT, ...ENDS], does: t('Von Zelle zu Zelle') },
    { keys: ['Escape'], does: t('Änderung verwerfen, danach aufhören') },
  ],
})

const groups = (): ShortcutGroup => ({
  title: t('Gruppen der Liste'),
  where: '.table-grouped [data-group]',
  from: ['list/GroupedRows.tsx'],
  keys: [
    { keys: [...UP_DOWN, ...ENDS], does: t('Von Gruppe zu Gruppe, zur ersten oder letzten') },
    { keys: LEFT_RIGHT, does: t('Gruppe zu- oder aufklappen') },
  ],
})

const longList = (): ShortcutGroup => ({
  title: t('Lange Liste'),
  where: '.table-virtual',
  from: ['list/VirtualTable.tsx'],
  keys: [
    { keys: [...UP_DOWN, ...ENDS], does: t('Von Zeile zu Zeile, zur ersten oder letzten') },
    { keys: ['PageUp', 'PageDown'], does: t('Eine Seite weiter oder zurück') },
  ],
})

const payments = (): ShortcutGroup => ({
  title: t('Zahlungen zuordnen'),
  where: '.bank-list',
  from: ['features/buchhaltung/zahlung/use-row-focus.ts'],
  keys: [{ keys: UP_DOWN, does: t('Von Zahlung zu Zahlung') }],
})

const positions = (): ShortcutGroup => ({
  title: t('Positionen'),
  where: '.pos-grid',
  from: ['features/buchhaltung/position/grid-keys.ts'],
  keys: [
    { keys: [...UP_DOWN, ...LEFT_RIGHT, 'Tab'], does: t('Von Zelle zu Zelle') },
    { keys: [...ENDS, 'PageUp', 'PageDown'], does: t('An Anfang oder Ende der Zeile, zehn Zeilen weiter') },
    { keys: ['Control+Home', 'Control+End'], does: t('Zur ersten oder letzten Zelle') },
    { keys: ['F2', 'Enter'], does: t('Zelle ändern, danach zur nächsten') },
    { keys: ['Escape'], does: t('Änderung verwerfen, sonst die Tabelle verlassen') },
    { keys: ['Delete', 'Backspace'], does: t('Zelle leeren') },
    { keys: ['Control+Enter', 'Control+Shift+Enter'], does: t('Zeile darunter oder darüber einfügen') },
    { keys: ['Control+D'], does: t('Zeile verdoppeln') },
    { keys: ['Control+Delete', 'Control+Backspace'], does: t('Zeile löschen') },
    { keys: ['Alt+ArrowUp', 'Alt+ArrowDown'], does: t('Zeile verschieben') },
    { keys: ['Shift+ArrowUp', 'Shift+ArrowDown', 'Control+A'], does: t('Mehrere oder alle Zeilen wählen') },
    { keys: ['Alt+Enter'], does: t('Erläuterung auf- oder zuklappen') },
    { keys: ['Control+Z', 'Control+Y'], does: t('Rückgängig, wiederholen') },
  ],
})

const georef = (): ShortcutGroup => ({
  title: t('Georeferenzieren'),
  where: '[data-flaeche]',
  from: ['features/georef/use-georef-keys.ts'],
  keys: [
    { keys: ['N'], does: t('Neue Punkte setzen oder damit aufhören') },
    { keys: ['Enter'], does: t('Punkt in die Mitte der Fläche setzen') },
    { keys: [' '], does: t('Gewählten Punkt benutzen oder nicht benutzen') },
    { keys: ['Delete'], does: t('Gewählten Punkt löschen') },
    { keys: ['Escape'], does: t('Begonnenes abbrechen') },
    { keys: ['Control+S'], does: t('Speichern') },
    { keys: ['Control+Z', 'Control+Y'], does: t('Rückgängig, wiederholen') },
  ],
})

const points = (): ShortcutGroup => ({
  title: t('Tabelle der Passpunkte'),
  where: '.georef-tabelle',
  from: ['features/georef/PointTable.tsx'],
  keys: [
    { keys: UP_DOWN, does: t('Von Punkt zu Punkt') },
    { keys: ['Enter'], does: t('Punkt in den Flächen zeigen') },
    { keys: ['Delete'], does: t('Punkt löschen') },
  ],
})

const magnifier = (): ShortcutGroup => ({
  title: t('Lupe'),
  where: '.lupe-bild:not(.lupe-leer)',
  from: ['karte/Magnifier.tsx'],
  keys: [{ keys: [...UP_DOWN, ...LEFT_RIGHT], does: t('Punkt um 1 Pixel verschieben, mit Umschalt um 10') }],
})

const outline = (): ShortcutGroup => ({
  title: t('Karte der Flächen'),
  where: '.area-map-frame',
  from: ['karte/OutlineKarte.tsx'],
  keys: [
    { keys: [...UP_DOWN, ...LEFT_RIGHT], does: t('Ausschnitt verschieben') },
    { keys: ['+', '-', '0'], does: t('Vergrößern, verkleinern, alles zeigen') },
  ],
})

const kataster = (): ShortcutGroup => ({
  title: t('Karte des Katasters'),
  where: '.kataster-flaeche',
  from: ['features/kataster/use-kataster-map.ts'],
  keys: [
    { keys: ['Enter'], does: t('Objekt in der Mitte zeigen oder eine Ecke setzen') },
    { keys: ['Backspace'], does: t('Letzte Ecke zurücknehmen') },
    { keys: ['Control+Enter'], does: t('Messung beenden') },
    { keys: ['Escape'], does: t('Werkzeug weglegen') },
  ],
})

const surveyObject = (): ShortcutGroup => ({
  title: t('Karte eines Vermessungsobjekts'),
  where: '.objekt-ol',
  from: ['features/kataster/ol-object.ts'],
  keys: [{ keys: ['Enter'], does: t('Objekt in die Mitte der Karte setzen') }],
})

const stands = (): ShortcutGroup => ({
  title: t('Karte der Bestände'),
  where: '.bestand-ol',
  from: ['karte/BestandSurface.tsx'],
  keys: [
    { keys: ['Enter'], does: t('Bestand in der Mitte wählen') },
    { keys: ['Escape'], does: t('Auswahl aufheben') },
  ],
})

const nearest = (): ShortcutGroup => ({
  title: t('Karte'),
  where: '.habitat-ol, .places-map-ol, .feld-karte',
  from: [
    'features/habitat/ol-habitat.ts',
    'karte/ol-places.ts',
    'features/fieldwork/ol-fieldwork.ts',
    'features/fieldwork/ol-survey.ts',
  ],
  keys: [{ keys: ['Enter'], does: t('Was der Mitte am nächsten liegt, öffnen') }],
})

/** In the language of the moment. */
export const shortcutGroups = (): readonly ShortcutGroup[] => [
  everywhere(),
  list(),
  head(),
  changes(),
  groups(),
  longList(),
  positions(),
  payments(),
  georef(),
  points(),
  magnifier(),
  kataster(),
  surveyObject(),
  outline(),
  stands(),
  nearest(),
  tabs(),
  menu(),
]

/** Those that work on the page as it is now. */
export const workingGroups = (page: ParentNode): readonly ShortcutGroup[] =>
  shortcutGroups().filter(({ where }) =>
    [...page.querySelectorAll(where)].some((element) => element.checkVisibility()),
  )
