// The form of one survey object, new or known: kind, place, attributes, and the bar that saves it.
import { type ReactNode, useRef } from 'react'
import { TABLES, type Table } from '#domain/vermessung/fields.ts'
import { kindWords } from '../../record/kataster/kataster-words.ts'
import { useClearOfBar } from '../../record/use-clear-of-bar.ts'
import { t } from '../../ui/text.ts'
import './capture.css'
import type { FieldworkPacket } from './fieldwork-db.ts'
import { StillReading } from './PhotoBar.tsx'
import { Picker } from './Picker.tsx'
import { SurveyFields } from './SurveyFields.tsx'
import { SurveyPlacePart } from './SurveyPlacePart.tsx'
import type { SurveyFormModel, SurveyStart } from './use-survey-form.ts'

interface Props {
  form: SurveyFormModel
  start: SurveyStart
  packet: FieldworkPacket
  /** A new one: its kind can be chosen, and it is measured at once. */
  neu: boolean
  fotos?: ReactNode
  /** Photos are still being read. */
  reading?: boolean
  title: ReactNode
  actions: ReactNode
}
export function SurveyEditor({ form, start, packet, neu, fotos, reading = false, title, actions }: Props) {
  const { state, change, fault, savedAt } = form
  const bar = useRef<HTMLDivElement>(null)
  useClearOfBar(bar, fault)
  const chooseKind = (table: Table) =>
    change((before) => ({
      ...before,
      tabelle: table,
      // A point is not the beginning of a drain, nor the other way round: it is measured again.
      parts: (before.tabelle === 'draenage') === (table === 'draenage') ? before.parts : [],
    }))
  return (
    <form className="erf-form" noValidate onSubmit={(event) => event.preventDefault()}>
      {title}
      {neu && (
        <section className="erf-teil" aria-label={t('Objektart')}>
          <Picker<Table>
            label={t('Objektart')}
            value={state.tabelle}
            options={TABLES.map((value) => ({ value, label: kindWords(value).one }))}
            onChange={chooseKind}
          />
        </section>
      )}
      <SurveyPlacePart
        key={state.tabelle === 'draenage' ? 'linie' : 'punkt'}
        form={form}
        packet={packet}
        kennung={start.kennung}
        automatic={neu && state.tabelle !== 'draenage' && state.parts.length === 0}
      />
      {fotos}
      <SurveyFields form={form} />
      <div ref={bar} className="erf-leiste">
        {fault !== null && (
          <p className="field-error" role="alert">
            {fault}
          </p>
        )}
        <div className="erf-taten">{actions}</div>
        {reading && <StillReading />}
        {savedAt !== null && fault === null && !reading && (
          <p className="soft erf-gesichert">{t('Entwurf auf diesem Gerät gesichert')}</p>
        )}
      </div>
    </form>
  )
}
