// Species that habitat trees are recorded with. db/nouns/habitat.sql has the same codes; a test compares
// both.

const KINDS = {
  bu: ['Rotbuche', 'European beech', 'Fagus sylvatica'],
  sei: ['Stieleiche', 'Pedunculate oak', 'Quercus robur'],
  tei: ['Traubeneiche', 'Sessile oak', 'Quercus petraea'],
  rei: ['Roteiche', 'Red oak', 'Quercus rubra'],
  es: ['Esche', 'Common ash', 'Fraxinus excelsior'],
  bah: ['Bergahorn', 'Sycamore maple', 'Acer pseudoplatanus'],
  sah: ['Spitzahorn', 'Norway maple', 'Acer platanoides'],
  fah: ['Feldahorn', 'Field maple', 'Acer campestre'],
  hbu: ['Hainbuche', 'Hornbeam', 'Carpinus betulus'],
  wli: ['Winterlinde', 'Small-leaved lime', 'Tilia cordata'],
  sli: ['Sommerlinde', 'Large-leaved lime', 'Tilia platyphyllos'],
  bul: ['Bergulme', 'Wych elm', 'Ulmus glabra'],
  flu: ['Flatterulme', 'European white elm', 'Ulmus laevis'],
  feu: ['Feldulme', 'Field elm', 'Ulmus minor'],
  vki: ['Vogelkirsche', 'Wild cherry', 'Prunus avium'],
  els: ['Elsbeere', 'Wild service tree', 'Sorbus torminalis'],
  spei: ['Speierling', 'Service tree', 'Sorbus domestica'],
  vbe: ['Vogelbeere', 'Rowan', 'Sorbus aucuparia'],
  wob: ['Wildobst', 'Wild fruit tree', 'Malus, Pyrus'],
  kas: ['Edelkastanie', 'Sweet chestnut', 'Castanea sativa'],
  nus: ['Walnuss', 'Walnut', 'Juglans'],
  sbi: ['Sandbirke', 'Silver birch', 'Betula pendula'],
  mbi: ['Moorbirke', 'Downy birch', 'Betula pubescens'],
  rer: ['Schwarzerle', 'Black alder', 'Alnus glutinosa'],
  wer: ['Grauerle', 'Grey alder', 'Alnus incana'],
  as: ['Aspe', 'Aspen', 'Populus tremula'],
  pa: ['Pappel', 'Poplar', 'Populus'],
  wei: ['Weide', 'Willow', 'Salix'],
  rob: ['Robinie', 'Black locust', 'Robinia pseudoacacia'],
  fi: ['Fichte', 'Norway spruce', 'Picea abies'],
  ta: ['Weißtanne', 'Silver fir', 'Abies alba'],
  kta: ['Küstentanne', 'Grand fir', 'Abies grandis'],
  dgl: ['Douglasie', 'Douglas fir', 'Pseudotsuga menziesii'],
  ki: ['Waldkiefer', 'Scots pine', 'Pinus sylvestris'],
  ski: ['Schwarzkiefer', 'Black pine', 'Pinus nigra'],
  zki: ['Zirbelkiefer', 'Swiss pine', 'Pinus cembra'],
  str: ['Strobe', 'Weymouth pine', 'Pinus strobus'],
  ela: ['Europäische Lärche', 'European larch', 'Larix decidua'],
  jla: ['Japanlärche', 'Japanese larch', 'Larix kaempferi'],
  eib: ['Eibe', 'Yew', 'Taxus baccata'],
  sonstige: ['Sonstige', 'Other', ''],
} as const

export type HabitatSpecies = keyof typeof KINDS
export interface SpeciesEntry {
  readonly code: HabitatSpecies
  readonly de: string
  readonly en: string
  readonly latin: string
}
export const HABITAT_SPECIES: readonly SpeciesEntry[] = Object.entries(KINDS).map(
  ([code, [de, en, latin]]) => ({
    code: code as HabitatSpecies,
    de,
    en,
    latin,
  }),
)
const BY_CODE: ReadonlyMap<string, SpeciesEntry> = new Map(HABITAT_SPECIES.map((art) => [art.code, art]))
export const kindOf = (code: string): SpeciesEntry | undefined => BY_CODE.get(code)

/** Name for tables and reports: the person's own words if the list has no name. */
export const kindName = (code: string, art_text: string | null, language: 'de' | 'en' = 'de'): string =>
  code === 'sonstige' && art_text !== null ? art_text : (kindOf(code)?.[language] ?? code)
