// Places of the top bar that belong to others: the bell with its notices and the jump search (Ctrl+K).

export function NoticesButton() {
  return null
}

export { JumpButton } from '../jump/JumpButton.tsx'
