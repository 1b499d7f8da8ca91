// The logo of the letterhead: choose, check by content, show, remove.
import { useQuery } from '@tanstack/react-query'
import { useId, useRef, useState } from 'react'
import { ApiError } from '../../../data/api-error.ts'
import { Button } from '../../../ui/Button.tsx'
import { Card } from '../../../ui/Display.tsx'
import { Refusal } from '../../../ui/Refusal.tsx'
import { t } from '../../../ui/text.ts'
import { toast } from '../../../ui/toasts.ts'
import { logo, useSaveLogo } from './settings.data.ts'
import { type LogoFault, type LogoType, logoType } from './logo-check.ts'

function faultText(fault: LogoFault): string {
  switch (fault) {
    case 'gross':
      return t('Das Logo ist größer als 1 MB. Bitte verkleinern Sie es.')
    case 'leer':
      return t('Diese Datei ist leer.')
    case 'art':
      return t('Das ist weder ein PNG noch ein JPEG noch ein SVG. Bitte wählen Sie eine andere Datei.')
    case 'masse':
      return t(
        'Das Bild ist zu groß: höchstens 6.000 Bildpunkte je Seite und 16 Millionen im Ganzen. Bitte ' +
          'verkleinern Sie es.',
      )
    case 'svg_schwer':
      return t(
        'Dieses SVG ist zu verschachtelt oder hat zu viele Teile. Bitte vereinfachen Sie es, oder nehmen Sie ein PNG.',
      )
    case 'svg_kaputt':
      return t('Dieses SVG lässt sich nicht lesen. Bitte exportieren Sie es neu.')
    case 'svg_aktiv':
      return t(
        'Dieses SVG enthält Skripte oder Verweise nach außen. Bitte exportieren Sie es als einfache Zeichnung.',
      )
  }
}
function parseSvg(text: string): Element | null {
  const parsed = new DOMParser().parseFromString(text, 'image/svg+xml')
  return parsed.querySelector('parsererror') ? null : parsed.documentElement
}
const bytesOf = (hex: string): Uint8Array =>
  Uint8Array.from(hex.slice(2).match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))
const base64 = (bytes: Uint8Array): string => {
  let text = ''
  for (let at = 0; at < bytes.length; at += 0x8000)
    text += String.fromCharCode(...bytes.subarray(at, at + 0x8000))
  return btoa(text)
}
const isLogoType = (found: LogoType | LogoFault): found is LogoType => found.startsWith('image/')

export function Logo({ version, typ }: { version: number; typ: string | null }) {
  const input = useRef<HTMLInputElement>(null)
  const id = useId()
  const save = useSaveLogo()
  const [fault, setFault] = useState<string | null>(null)
  const send = (bytes: string | null, kind: LogoType | null) =>
    save.mutate(
      { bytes, typ: kind, version },
      {
        onSuccess: () =>
          toast.success(bytes === null ? t('Das Logo wurde entfernt.') : t('Das Logo wurde gespeichert.')),
        onError: (error) => setFault(error instanceof ApiError ? error.message : t('Das hat nicht geklappt')),
      },
    )
  const choose = async (file: File | undefined) => {
    setFault(null)
    if (file === undefined) return
    const bytes = new Uint8Array(await file.arrayBuffer())
    const found = logoType(bytes, parseSvg)
    if (!isLogoType(found)) return setFault(faultText(found))
    send(base64(bytes), found)
  }
  return (
    <Card title={t('Logo')}>
      <div className="stack">
        {typ !== null && <Shown version={version} typ={typ} />}
        {fault !== null && <Refusal title={t('Nicht gespeichert')}>{fault}</Refusal>}
        <div className="buch-bar">
          <label className="field-hint" htmlFor={id}>
            {t('PNG, JPEG oder SVG, höchstens 1 MB. Es steht oben links auf jedem Beleg.')}
          </label>
          <span>
            <input
              ref={input}
              id={id}
              type="file"
              className="visually-hidden"
              accept="image/png,image/jpeg,image/svg+xml"
              onChange={(event) => {
                void choose(event.target.files?.[0])
                event.target.value = ''
              }}
            />
            <Button icon="upload" busy={save.isPending} onClick={() => input.current?.click()}>
              {typ === null ? t('Logo hochladen') : t('Logo ersetzen')}
            </Button>{' '}
            {typ !== null && (
              <Button icon="trash" disabled={save.isPending} onClick={() => send(null, null)}>
                {t('Logo entfernen')}
              </Button>
            )}
          </span>
        </div>
      </div>
    </Card>
  )
}

function Shown({ version, typ }: { version: number; typ: string }) {
  const { data } = useQuery(logo(version))
  if (!data) return null
  return (
    <img
      className="buch-logo"
      src={`data:${typ};base64,${base64(bytesOf(data))}`}
      alt={t('Das Logo der Belege')}
    />
  )
}
