export { readHomeFile } from './read.ts'
export { readSection } from './section.ts'
