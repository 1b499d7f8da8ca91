// Read-only facts of a customer.
import { countryName, placeLine } from '#domain/countries.ts'
import { kundeField } from '#domain/kunde-fields.ts'
import type { ReactNode } from 'react'
import type { Kunde } from '#contract/kunde.ts'
import { fact, type Fact } from '../../ui/Display.tsx'
import { PhoneLink } from '../../ui/PhoneLink.tsx'
import { t } from '../../ui/text.ts'
import { CONTACT_FIELDS, contactName, FORM_FIELDS, fieldLabel, showValue } from './kunde-fields.ts'

const show = (field: keyof Kunde, value: unknown): ReactNode => {
  const text = showValue(field, value)
  return kundeField(field).kind === 'phone' ? <PhoneLink number={text} /> : text
}

/** A fact for each field; the Ort comes with its PLZ, and the contact person's name is one fact. */
export const factsOf = (kunde: Kunde, fields: readonly (keyof Kunde)[]): Fact[] =>
  fields.flatMap((field) => {
    switch (field) {
      case 'ort':
      case 'ap_gender':
      case 'ap_vorname':
        return []
      case 'plz':
        return [fact(t('PLZ und Ort'), placeLine(kunde))]
      case 'land':
        return kunde.land === 'DE' ? [] : [fact(fieldLabel('land'), countryName(kunde.land))]
      case 'ap_nachname':
        return [fact(t('Ansprechpartner'), contactName(kunde))]
      default:
        return [fact(fieldLabel(field), show(field, kunde[field]))]
    }
  })

/** What the provider keeps for the customer: address and settings. */
export const fixedFacts = (kunde: Kunde): Fact[] =>
  factsOf(kunde, [...FORM_FIELDS.filter((field) => !CONTACT_FIELDS.includes(field)), 'kataster_status'])
export const contactFacts = (kunde: Kunde): Fact[] => factsOf(kunde, CONTACT_FIELDS)
