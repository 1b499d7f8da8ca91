// What some fields of a habitat tree may be: the codes that are stored, their names on screens and documents, and
// the words for them in other people's files, folded by foldText.
export const STATE = {
  lebend: { label: 'lebend', aliases: 'lebend lebendig vital gesund alive' },
  absterbend: { label: 'absterbend', aliases: 'absterbend sterbend geschwaecht dying' },
  tot_stehend: { label: 'tot stehend', aliases: 'totstehend tot stehendtot stehendestotholz totholz dead' },
  stumpf: { label: 'Stumpf', aliases: 'stumpf hochstumpf stump' },
} as const
export const STATUS = {
  baum: { label: 'Habitatbaum', aliases: 'baum habitatbaum tree habitat' },
  anwaerter: {
    label: 'Anwärter',
    aliases: 'anwaerter habitatbaumanwaerter habitatanwaerter kandidat candidate',
  },
} as const
export const MARK = {
  welle: { label: 'Wellenlinie', aliases: 'welle wellenlinie weissewelle weissewellenlinie' },
  farbe: { label: 'Farbpunkt', aliases: 'farbe farbpunkt farbmarkierung spray' },
  plakette: { label: 'Plakette', aliases: 'plakette schild nummer' },
  band: { label: 'Band', aliases: 'band farbband' },
  sonstige: { label: 'andere Markierung', aliases: 'sonstige ja x 1 true wahr yes' },
} as const
export const METHOD = {
  gnss: { label: 'GNSS-Empfänger', aliases: 'gnss gps' },
  rtk: { label: 'GNSS mit RTK', aliases: 'rtk gnssrtk dgps' },
  karte: { label: 'auf der Karte', aliases: 'karte map' },
  luftbild: { label: 'aus dem Luftbild', aliases: 'luftbild orthofoto dop' },
  import: { label: 'importiert', aliases: 'import' },
} as const
/** The kinds of solutions that are kept with a place: MEASURED in domain/gnss/fix.ts. */
export const FIX = {
  rtk_fixed: { label: 'RTK fixed', aliases: 'rtkfixed rtkfix rtkfest fixed fix fest 4' },
  rtk_float: { label: 'RTK float', aliases: 'rtkfloat float 5' },
  dgps: { label: 'DGPS', aliases: 'dgps dgnss sbas egnos 2' },
  pps: { label: 'PPS', aliases: 'pps 3' },
  gnss: { label: 'GNSS ohne Korrektur', aliases: 'gnssohnekorrektur gnss gps single autonom autonomous 1' },
  estimated: {
    label: 'Koppelnavigation',
    aliases: 'koppelnavigation fortgerechnet estimated deadreckoning 6',
  },
} as const
export const LOSS = {
  windwurf: { label: 'Windwurf', aliases: 'windwurf sturm windbruch' },
  entnommen: { label: 'entnommen', aliases: 'entnommen gefaellt faellung ernte' },
  verkehrssicherung: { label: 'Verkehrssicherung', aliases: 'verkehrssicherung vsp' },
  brand: { label: 'Brand', aliases: 'brand feuer' },
  zersetzt: { label: 'zersetzt', aliases: 'zersetzt zerfallen zerfall' },
  unbekannt: { label: 'unbekannt', aliases: 'unbekannt unknown' },
  sonstige: { label: 'anderer Grund', aliases: 'sonstige sonstiges andere' },
} as const
