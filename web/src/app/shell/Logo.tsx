// The application's logo.
import './splash.css'

export const Logo = ({ size = 32 }: { size?: number }) => (
  <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true">
    <path d="M16 3 7.8 13.3h4L6 21.5h20l-5.8-8.2h4z" fill="var(--accent)" />
    <path d="M14.6 21.5h2.8V29h-2.8z" fill="currentColor" />
  </svg>
)
