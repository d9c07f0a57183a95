export { mistakes } from './mistakes.ts'
export { readHomeFile } from './read.ts'
