// Buttons, and links that look like buttons.
import type { ButtonHTMLAttributes, ReactNode, Ref } from 'react'
import './button.css'
import { Icon, type IconName } from './Icon.tsx'

type Variant = 'primary' | 'secondary' | 'quiet' | 'danger'
interface Look {
  variant?: Variant
  size?: 'normal' | 'small'
  icon?: IconName
}
export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement>, Look {
  /** In progress: the button keeps its width and focus but cannot be pressed. */
  busy?: boolean
  /** Receives focus when its dialog opens. */
  'data-autofocus'?: boolean
  ref?: Ref<HTMLButtonElement>
}

const classOf = (variant: Variant, size: string, more?: string) =>
  `button button-${variant}${size === 'small' ? ' button-small' : ''}${more ? ` ${more}` : ''}`

export function Button({
  variant = 'secondary',
  size = 'normal',
  icon,
  busy = false,
  type = 'button',
  className,
  children,
  onClick,
  ...rest
}: ButtonProps) {
  return (
    <button
      {...rest}
      type={type === 'submit' && busy ? 'button' : type}
      className={classOf(variant, size, className)}
      aria-disabled={busy || undefined}
      aria-busy={busy || undefined}
      onClick={busy ? undefined : onClick}
    >
      {busy ? <Spinner /> : icon && <Icon name={icon} size={size === 'small' ? 16 : 18} />}
      {children}
    </button>
  )
}

export function ButtonLink({
  href,
  variant = 'secondary',
  size = 'normal',
  icon,
  children,
}: Look & { href: string; children: ReactNode }) {
  return (
    <a href={href} className={classOf(variant, size)}>
      {icon && <Icon name={icon} size={size === 'small' ? 16 : 18} />}
      {children}
    </a>
  )
}

export interface IconButtonProps extends Omit<ButtonProps, 'children' | 'icon'> {
  icon: IconName
  /** Accessible name, also shown on hover. */
  label: string
}
export function IconButton({ icon, label, className, ...rest }: IconButtonProps) {
  return (
    <Button
      variant="quiet"
      {...rest}
      className={`button-icon${className ? ` ${className}` : ''}`}
      aria-label={label}
      title={rest.title ?? label}
    >
      <Icon name={icon} />
    </Button>
  )
}

export const Spinner = () => <span className="spinner" aria-hidden="true" />
