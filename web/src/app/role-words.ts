// Re-exported from ui, where every screen can import it.
export { roleInWords } from '../ui/role-words.ts'
