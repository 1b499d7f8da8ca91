// Parts of the top bar from other folders: the bell with its notices and the jump search (Ctrl+K).

export { JumpButton } from '../jump/JumpButton.tsx'
export { NoticesButton } from '../notices/NoticesButton.tsx'
