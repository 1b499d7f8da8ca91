// The photos of a saved tree or survey object: those on this device, and how many the server has.
import type { Table } from '#domain/vermessung/fields.ts'
import { t } from '../../ui/text.ts'
import type { Identifier } from './fieldwork-db.ts'
import { PhotoBar } from './PhotoBar.tsx'

interface Props {
  kennung: Identifier
  idHQ: number
  /** Of a survey object. */
  tabelle?: Table
  onServer: number
}
export const PhotoPart = ({ kennung, idHQ, tabelle, onServer }: Props) => (
  <section className="erf-teil" aria-label={t('Fotos')}>
    <h3>
      {t('Fotos')}
      {onServer > 0 && (
        <span className="soft">
          {' '}
          {onServer === 1 ? t('1 auf dem Server') : t('{n} auf dem Server', { n: onServer })}
        </span>
      )}
    </h3>
    <PhotoBar baum={kennung} idHQ={idHQ} stand="wartet" {...(tabelle && { tabelle })} />
  </section>
)
