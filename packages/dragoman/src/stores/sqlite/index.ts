export { openSqlite } from './store.ts'
