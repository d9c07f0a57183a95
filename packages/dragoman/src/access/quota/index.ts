export { createQuota, type Quota } from './quota.ts'
export type { SkillsUsed } from './count-run-usage.ts'
export { usageMigrations } from './tables.ts'
export { groupings } from './usage-report.ts'
