// The words stand in ui, where every screen can reach them.
export { rolleInWords } from '../ui/role-words.ts'
