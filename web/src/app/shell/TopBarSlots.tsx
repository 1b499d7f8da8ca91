// Places of the top bar that belong to others: the bell with its notices and the jump search (Ctrl+K).

export { JumpButton } from '../jump/JumpButton.tsx'
export { NoticesButton } from '../notices/NoticesButton.tsx'
