// Micro-habitats of trees. larrieu_2018: the typology of Larrieu et al. (Ecological Indicators 84, 2018) with
// 7 forms, 15 groups and 47 types; codes are group.number in its order, names and thresholds in our own
// words. kraus_2016: the catalogue of Kraus et al. (EFI 2016) with its codes; older surveys used it. Codes of
// the two cannot be confused. db/nouns/habitat.sql has the same codes; a test compares both.

export type StructureSystem = 'larrieu_2018' | 'kraus_2016'

/** Stored with a tree. */
export interface StructureDetail {
  readonly code: string
  readonly system: StructureSystem
  /** Number of occurrences; null if not counted. */
  readonly menge: number | null
}

export interface Structure {
  readonly code: string
  readonly system: StructureSystem
  /** Number of the group within its system, for sorting and headings. */
  readonly gruppe: string
  readonly de: string
  readonly en: string
  /** Minimum size to count; empty if any size counts. */
  readonly threshold: string
}
export interface StructureGroup {
  readonly code: string
  readonly system: StructureSystem
  readonly form: string
  readonly form_en: string
  readonly de: string
  readonly en: string
}

type TableRow = readonly [de: string, en: string, threshold?: string]
type Group = readonly [form: string, form_en: string, de: string, en: string, types: readonly TableRow[]]

const CAVITIES = ['Höhlen', 'Cavities'] as const
const INJURIES = ['Stammverletzungen und freiliegendes Holz', 'Tree injuries and exposed wood'] as const
const DEADWOOD = ['Kronentotholz', 'Crown deadwood'] as const
const EXCRESCENCES = ['Wucherungen', 'Excrescences'] as const
const FUNGI = ['Pilzfruchtkörper und Schleimpilze', 'Fungal fruiting bodies and slime moulds'] as const
const EPIPHYTES = ['Epiphytische und parasitische Strukturen', 'Epiphytic and parasitic structures'] as const
const EXUDATES = ['Ausflüsse', 'Exudates'] as const

const LARRIEU: readonly Group[] = [
  [
    ...CAVITIES,
    'Spechthöhlen',
    'Woodpecker breeding cavities',
    [
      ['Kleine Spechthöhle', 'Small woodpecker cavity', 'Ø unter 4 cm'],
      ['Mittlere Spechthöhle', 'Medium woodpecker cavity', 'Ø 4 bis 7 cm'],
      ['Große Spechthöhle', 'Large woodpecker cavity', 'Ø über 10 cm'],
      ['Höhlenreihe', 'Row of woodpecker cavities', 'mindestens 3 Höhlen, höchstens 2 m auseinander'],
    ],
  ],
  [
    ...CAVITIES,
    'Mulm- und Faulhöhlen',
    'Rot holes',
    [
      [
        'Mulmhöhle am Stammfuß, oben geschlossen',
        'Rot hole at the trunk base, closed top',
        'Öffnung Ø über 10 cm',
      ],
      ['Mulmhöhle am Stamm, oben geschlossen', 'Rot hole on the trunk, closed top', 'Öffnung Ø über 10 cm'],
      ['Halboffene Mulmhöhle am Stamm', 'Half-open rot hole on the trunk', 'Öffnung Ø über 30 cm'],
      [
        'Nach oben offener hohler Stamm mit Bodenkontakt',
        'Hollow trunk open at the top, ground contact',
        'Öffnung Ø über 30 cm',
      ],
      [
        'Nach oben offener hohler Stamm ohne Bodenkontakt',
        'Hollow trunk open at the top, no ground contact',
        'Öffnung Ø über 30 cm',
      ],
      ['Hohler Ast', 'Hollow branch', 'Öffnung Ø über 10 cm'],
    ],
  ],
  [
    ...CAVITIES,
    'Bohrgänge',
    'Insect galleries',
    [
      [
        'Insektengänge und Bohrlöcher',
        'Insect galleries and bore holes',
        'Bohrloch Ø über 2 cm oder Fläche über 300 cm²',
      ],
    ],
  ],
  [
    ...CAVITIES,
    'Vertiefungen',
    'Concavities',
    [
      ['Wassergefüllte Baumhöhle', 'Dendrotelm', 'Öffnung Ø über 15 cm'],
      ['Fraßloch des Spechts', 'Woodpecker feeding hole', 'Ø und Tiefe über 10 cm'],
      ['Berindete Vertiefung am Stamm', 'Bark-lined concavity on the trunk', 'Ø und Tiefe über 10 cm'],
      ['Höhlung zwischen Wurzelanläufen', 'Concavity between root buttresses', 'Öffnung Ø über 10 cm'],
    ],
  ],
  [
    ...INJURIES,
    'Freiliegendes Splintholz',
    'Exposed sapwood',
    [
      ['Rindenverlust', 'Bark loss', 'Fläche über 300 cm²'],
      ['Feuernarbe', 'Fire scar', 'Fläche über 600 cm²'],
      [
        'Rindentasche, unten offen',
        'Bark shelter, open below',
        'Spalt über 1 cm, Höhe und Breite über 10 cm',
      ],
      ['Rindentasche, oben offen', 'Bark pocket, open above', 'Spalt über 1 cm, Höhe und Breite über 10 cm'],
    ],
  ],
  [
    ...INJURIES,
    'Freiliegendes Splint- und Kernholz',
    'Exposed sapwood and heartwood',
    [
      ['Stammbruch', 'Broken trunk', 'Bruchstelle Ø über 20 cm'],
      [
        'Ausgebrochener Starkast mit freiem Kernholz',
        'Torn-off limb with exposed heartwood',
        'Fläche über 300 cm²',
      ],
      ['Riss', 'Crack', 'Länge über 30 cm, Breite über 1 cm, Tiefe über 10 cm'],
      ['Blitzrinne', 'Lightning scar', 'Länge über 30 cm, Breite über 1 cm, Tiefe über 10 cm'],
      ['Riss am Zwiesel', 'Split fork', 'Länge über 30 cm'],
    ],
  ],
  [
    ...DEADWOOD,
    'Kronentotholz',
    'Crown deadwood',
    [
      ['Tote Äste', 'Dead branches', 'Ø über 10 cm oder über 10 % der Krone'],
      ['Abgestorbene Kronenspitze', 'Dead top', 'Basis Ø über 10 cm'],
      ['Stumpf eines gebrochenen Starkastes', 'Stub of a broken limb', 'Ø über 20 cm, Länge über 50 cm'],
    ],
  ],
  [
    ...EXCRESCENCES,
    'Triebwucherungen',
    'Twig tangles',
    [
      ['Hexenbesen', 'Witches’ broom', 'Ø über 50 cm'],
      ['Wasserreiser', 'Epicormic shoots', 'mehr als 5 Büschel'],
    ],
  ],
  [
    ...EXCRESCENCES,
    'Maserknollen und Krebse',
    'Burrs and cankers',
    [
      ['Maserknolle', 'Burr', 'Ø über 20 cm'],
      ['Baumkrebs', 'Canker', 'Ø über 20 cm'],
    ],
  ],
  [
    ...FUNGI,
    'Mehrjährige Pilze',
    'Perennial fungi',
    [['Mehrjähriger Porling', 'Perennial polypore', 'Ø über 5 cm']],
  ],
  [
    ...FUNGI,
    'Kurzlebige Pilze und Schleimpilze',
    'Ephemeral fungi and slime moulds',
    [
      ['Einjähriger Porling', 'Annual polypore', 'Ø über 5 cm oder mehr als 10 Fruchtkörper'],
      ['Blätterpilz', 'Agaric', 'Ø über 5 cm oder mehr als 10 Fruchtkörper'],
      ['Kernpilz', 'Pyrenomycete', 'Ø über 3 cm oder Fläche über 100 cm²'],
      ['Schleimpilz', 'Slime mould', 'Ø über 5 cm'],
    ],
  ],
  [
    ...EPIPHYTES,
    'Pflanzen und Flechten',
    'Plants and lichens',
    [
      ['Moose', 'Bryophytes', 'über 10 % der Stammfläche'],
      ['Blatt- und Strauchflechten', 'Foliose and fruticose lichens', 'über 10 % der Stammfläche'],
      ['Efeu und Lianen', 'Ivy and lianas', 'über 10 % der Stammfläche'],
      ['Farne', 'Ferns', 'mehr als 5 Wedel'],
      ['Misteln', 'Mistletoe', 'Ø über 20 cm'],
    ],
  ],
  [
    ...EPIPHYTES,
    'Nester',
    'Nests',
    [
      ['Nest oder Horst eines Wirbeltiers', 'Vertebrate nest', 'Ø über 10 cm'],
      ['Nest von Wirbellosen', 'Invertebrate nest'],
    ],
  ],
  [
    ...EPIPHYTES,
    'Mikroböden',
    'Microsoils',
    [
      ['Mikroboden auf der Rinde', 'Bark microsoil'],
      ['Mikroboden in der Krone', 'Crown microsoil'],
    ],
  ],
  [
    ...EXUDATES,
    'Ausflüsse',
    'Fresh exudates',
    [
      ['Saftfluss', 'Sap run', 'Länge über 10 cm'],
      ['Starker Harzfluss', 'Heavy resin flow', 'Länge über 10 cm'],
    ],
  ],
]

/** Code of the group, its names, and the names of its types in the order of their last digit. */
const KRAUS: readonly (readonly [code: string, ...gruppe: Group])[] = [
  [
    'CV1',
    ...CAVITIES,
    'Spechthöhlen',
    'Woodpecker cavities',
    [
      ['Spechthöhle Ø 4 cm', 'Woodpecker cavity Ø 4 cm'],
      ['Spechthöhle Ø 5 bis 6 cm', 'Woodpecker cavity Ø 5–6 cm'],
      ['Spechthöhle Ø über 10 cm', 'Woodpecker cavity Ø over 10 cm'],
      ['Fraßloch Ø ab 10 cm', 'Feeding hole Ø 10 cm or more'],
      ['Höhlenreihe', 'Row of cavities'],
    ],
  ],
  [
    'CV2',
    ...CAVITIES,
    'Stamm- und Mulmhöhlen',
    'Trunk and mould cavities',
    [
      ['Stammhöhle ab Ø 10 cm mit Bodenkontakt', 'Trunk cavity from Ø 10 cm, ground contact'],
      ['Stammhöhle ab Ø 30 cm mit Bodenkontakt', 'Trunk cavity from Ø 30 cm, ground contact'],
      ['Stammhöhle ab Ø 10 cm ohne Bodenkontakt', 'Trunk cavity from Ø 10 cm, no ground contact'],
      ['Stammhöhle ab Ø 30 cm ohne Bodenkontakt', 'Trunk cavity from Ø 30 cm, no ground contact'],
      ['Halboffene Stammhöhle ab Ø 30 cm', 'Half-open trunk cavity from Ø 30 cm'],
      ['Oben offene Stammhöhle ab Ø 30 cm', 'Trunk cavity open at the top from Ø 30 cm'],
    ],
  ],
  [
    'CV3',
    ...CAVITIES,
    'Asthöhlen',
    'Branch holes',
    [
      ['Asthöhle ab Ø 5 cm', 'Branch hole from Ø 5 cm'],
      ['Asthöhle ab Ø 10 cm', 'Branch hole from Ø 10 cm'],
      ['Hohler Ast ab Ø 10 cm', 'Hollow branch from Ø 10 cm'],
    ],
  ],
  [
    'CV4',
    ...CAVITIES,
    'Wassergefüllte Höhlungen',
    'Water-filled holes',
    [
      ['Am Stammfuß ab Ø 3 cm', 'At the trunk base from Ø 3 cm'],
      ['Am Stammfuß ab Ø 15 cm', 'At the trunk base from Ø 15 cm'],
      ['In der Krone ab Ø 5 cm', 'In the crown from Ø 5 cm'],
      ['In der Krone ab Ø 15 cm', 'In the crown from Ø 15 cm'],
    ],
  ],
  [
    'CV5',
    ...CAVITIES,
    'Bohrgänge',
    'Insect galleries',
    [
      ['Kleine Bohrlöcher', 'Small bore holes'],
      ['Große Bohrlöcher ab Ø 2 cm', 'Large bore holes from Ø 2 cm'],
    ],
  ],
  [
    'IN1',
    ...INJURIES,
    'Rindenverlust',
    'Bark loss',
    [
      ['25 bis 600 cm², wenig zersetzt', '25–600 cm², little decay'],
      ['Über 600 cm², wenig zersetzt', 'Over 600 cm², little decay'],
      ['25 bis 600 cm², stark zersetzt', '25–600 cm², advanced decay'],
      ['Über 600 cm², stark zersetzt', 'Over 600 cm², advanced decay'],
    ],
  ],
  [
    'IN2',
    ...INJURIES,
    'Freiliegendes Kernholz, Bruch',
    'Exposed heartwood, breakage',
    [
      ['Stammbruch ab Ø 20 cm', 'Broken trunk from Ø 20 cm'],
      ['Kronenbruch mit freiem Kernholz ab Ø 20 cm', 'Broken crown with exposed heartwood from Ø 20 cm'],
      ['Ausgebrochener Starkast ab Ø 20 cm', 'Torn-off limb from Ø 20 cm'],
      ['Zersplitterter Stamm ab Ø 20 cm', 'Splintered trunk from Ø 20 cm'],
    ],
  ],
  [
    'IN3',
    ...INJURIES,
    'Risse und Narben',
    'Cracks and scars',
    [
      ['Riss ab 30 cm Länge', 'Crack from 30 cm'],
      ['Riss ab 100 cm Länge', 'Crack from 100 cm'],
      ['Blitzrinne', 'Lightning scar'],
      ['Feuernarbe ab 600 cm²', 'Fire scar from 600 cm²'],
    ],
  ],
  [
    'BA1',
    ...INJURIES,
    'Rinde',
    'Bark',
    [
      ['Rindentasche, unten offen', 'Bark shelter, open below'],
      ['Rindentasche, oben offen', 'Bark pocket, open above'],
      ['Grobe Rinde', 'Coarse bark'],
    ],
  ],
  [
    'DE1',
    ...DEADWOOD,
    'Tote Äste und Kronenteile',
    'Dead branches and crown parts',
    [
      ['Äste Ø 10 bis 20 cm, besonnt', 'Branches Ø 10–20 cm, in the sun'],
      ['Äste Ø über 20 cm, besonnt', 'Branches Ø over 20 cm, in the sun'],
      ['Äste Ø 10 bis 20 cm, beschattet', 'Branches Ø 10–20 cm, shaded'],
      ['Äste Ø über 20 cm, beschattet', 'Branches Ø over 20 cm, shaded'],
      ['Abgestorbene Kronenspitze ab Ø 10 cm', 'Dead top from Ø 10 cm'],
    ],
  ],
  [
    'GR1',
    ...EXCRESCENCES,
    'Wurzelanläufe',
    'Root buttresses',
    [
      ['Höhlung ab Ø 5 cm', 'Cavity from Ø 5 cm'],
      ['Höhlung ab Ø 10 cm', 'Cavity from Ø 10 cm'],
      ['Spalt am Stammfuß', 'Cleft at the trunk base'],
    ],
  ],
  [
    'GR2',
    ...EXCRESCENCES,
    'Hexenbesen',
    'Witches’ brooms',
    [
      ['Hexenbesen ab Ø 50 cm', 'Witches’ broom from Ø 50 cm'],
      ['Wasserreiser', 'Epicormic shoots'],
    ],
  ],
  [
    'GR3',
    ...EXCRESCENCES,
    'Krebse und Maserknollen',
    'Cankers and burrs',
    [
      ['Krebsartige Wucherung ab Ø 20 cm', 'Cancerous growth from Ø 20 cm'],
      ['Zersetzter Krebs ab Ø 20 cm', 'Decayed canker from Ø 20 cm'],
    ],
  ],
  [
    'EP1',
    ...FUNGI,
    'Pilzfruchtkörper',
    'Fungal fruiting bodies',
    [
      ['Einjähriger Porling ab Ø 5 cm', 'Annual polypore from Ø 5 cm'],
      ['Mehrjähriger Porling ab Ø 10 cm', 'Perennial polypore from Ø 10 cm'],
      ['Blätterpilz ab Ø 5 cm', 'Agaric from Ø 5 cm'],
      ['Kernpilz ab Ø 5 cm', 'Pyrenomycete from Ø 5 cm'],
    ],
  ],
  ['EP2', ...FUNGI, 'Schleimpilze', 'Slime moulds', [['Schleimpilz ab Ø 5 cm', 'Slime mould from Ø 5 cm']]],
  [
    'EP3',
    ...EPIPHYTES,
    'Pflanzen und Flechten',
    'Plants and lichens',
    [
      ['Moose, über 25 % bedeckt', 'Bryophytes, over 25 % covered'],
      ['Blatt- und Strauchflechten, über 25 % bedeckt', 'Lichens, over 25 % covered'],
      ['Lianen, über 25 % bedeckt', 'Lianas, over 25 % covered'],
      ['Farne, mehr als 5 Wedel', 'Ferns, more than 5 fronds'],
      ['Misteln', 'Mistletoe'],
    ],
  ],
  [
    'NE1',
    ...EPIPHYTES,
    'Nester von Wirbeltieren',
    'Vertebrate nests',
    [
      ['Horst ab Ø 80 cm', 'Eyrie from Ø 80 cm'],
      ['Nest ab Ø 10 cm', 'Nest from Ø 10 cm'],
    ],
  ],
  [
    'NE2',
    ...EPIPHYTES,
    'Nester von Wirbellosen',
    'Invertebrate nests',
    [['Nest von Wirbellosen', 'Invertebrate nest']],
  ],
  [
    'OT1',
    ...EXUDATES,
    'Saft- und Harzfluss',
    'Sap and resin',
    [
      ['Saftfluss ab 50 cm', 'Sap run from 50 cm'],
      ['Harzfluss ab 50 cm', 'Resin flow from 50 cm'],
    ],
  ],
  [
    'OT2',
    ...EPIPHYTES,
    'Mikroböden',
    'Microsoils',
    [
      ['In der Krone', 'In the crown'],
      ['Auf der Rinde', 'On the bark'],
    ],
  ],
]

const groupOf = (code: string, system: StructureSystem, [form, form_en, de, en]: Group): StructureGroup => ({
  code,
  system,
  form,
  form_en,
  de,
  en,
})
const typesOf = (
  group: string,
  system: StructureSystem,
  between: string,
  rows: readonly TableRow[],
): Structure[] =>
  rows.map(([de, en, threshold = ''], at) => ({
    code: `${group}${between}${at + 1}`,
    system,
    gruppe: group,
    de,
    en,
    threshold,
  }))

export const STRUCTURE_GROUPS: readonly StructureGroup[] = [
  ...LARRIEU.map((group, at) => groupOf(String(at + 1), 'larrieu_2018', group)),
  ...KRAUS.map(([code, ...group]) => groupOf(code, 'kraus_2016', group)),
]
export const STRUCTURES: readonly Structure[] = [
  ...LARRIEU.flatMap(([, , , , types], at) => typesOf(String(at + 1), 'larrieu_2018', '.', types)),
  ...KRAUS.flatMap(([code, , , , , types]) => typesOf(code, 'kraus_2016', '', types)),
]
const BY_CODE: ReadonlyMap<string, Structure> = new Map(
  STRUCTURES.map((structure) => [structure.code, structure]),
)
export const structureOf = (code: string): Structure | undefined => BY_CODE.get(code)

/** New trees are recorded with this system. */
export const STANDARD_SYSTEM: StructureSystem = 'larrieu_2018'
