export { readHomeFile } from './read.ts'
