export { findDamagedRuns } from './checksums.ts'
export { openSqlite } from './store.ts'
