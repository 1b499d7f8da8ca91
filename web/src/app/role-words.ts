// The words stand in ui, where every screen can reach them.
export { roleInWords } from '../ui/role-words.ts'
