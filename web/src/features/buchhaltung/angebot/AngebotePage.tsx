// /buchhaltung/angebote: all offers, drafts and issued ones.
import { BelegePage } from '../BelegePage.tsx'
import { ANGEBOT_SORTE } from '../sorten.ts'
import { angeboteOf } from './angebote-list.tsx'

const COLUMNS = ['netto', 'brutto'] as const

export const AngebotePage = () => <BelegePage sorte={ANGEBOT_SORTE} listOf={angeboteOf} columns={COLUMNS} />
