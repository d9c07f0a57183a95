export { readHomeFile } from './read.ts'
export { readGroup, readSection } from './section.ts'
