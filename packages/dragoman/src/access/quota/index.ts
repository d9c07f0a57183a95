export { quota, type Quota } from './quota.ts'
export type { SkillsUsed } from './counted.ts'
export { usageMigrations } from './tables.ts'
export { groupings } from './usage.ts'
