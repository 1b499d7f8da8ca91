// Lines of the trial's invoices and offers.
import type { Random } from './random.ts'

export interface Line {
  readonly art?: 'position' | 'optional' | 'alternativ' | 'ueberschrift'
  readonly bez: string
  readonly anzahl?: string
  readonly einheit?: string
  readonly ep?: string
  readonly ust_satz?: string
  readonly rabatt_prozent?: string
  readonly erl_titel?: string
  readonly erl?: string
  readonly le_date?: string
}

export const makeLines = (random: Random): Line[] => {
  const lines: Line[] = [
    {
      bez: 'Einmessung von Dränleitungen',
      anzahl: `${random.int(6, 48)}.${random.pick(['0', '25', '5', '75'])}`,
      einheit: 'Std',
      ep: '84.50',
      erl_titel: 'Umfang',
      erl: 'Begehung, Aufmaß mit GNSS, Protokoll je Schacht.',
    },
    {
      bez: 'Georeferenzierung von Bestandsplänen',
      anzahl: String(random.int(2, 30)),
      einheit: 'Stück',
      ep: '46.00',
    },
    {
      bez: 'Digitalisierung der Leitungen',
      anzahl: `${random.int(1, 60)}.${random.int(100, 999)}`,
      einheit: 'km',
      ep: '118.7500',
    },
    { bez: 'Anfahrt', anzahl: String(random.int(40, 320)), einheit: 'km', ep: '0.42' },
    {
      bez: 'Kartenband, gedruckt',
      anzahl: String(random.int(1, 6)),
      einheit: 'Stück',
      ep: '58.90',
      ust_satz: '7.00',
    },
    {
      bez: 'Habitatbaumkartierung',
      anzahl: `${random.int(8, 180)}.5`,
      einheit: 'ha',
      ep: '11.3500',
      rabatt_prozent: random.pick(['0', '0', '5.00']),
    },
  ]
  const chosen = random.sample(lines, random.int(1, 4))
  return random.chance(0.3)
    ? [{ art: 'ueberschrift', bez: 'Leistungen im Gelände und im Büro' }, ...chosen]
    : chosen
}
