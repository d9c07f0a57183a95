export { repairEvents } from './repair-events.ts'
export { createRepair } from './create-repair.ts'
