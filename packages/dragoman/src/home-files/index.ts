export { readHomeFile } from './read-home-file.ts'
export { readGroup, readSection } from './read-section.ts'
