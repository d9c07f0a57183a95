import { clockMigrations } from './clock.ts'
import type { Migration } from '../database/index.ts'
import { erasingMigrations } from './erasing.ts'
import { expiryMigrations } from './expiry.ts'
import type { AgentFactory } from '../modules/index.ts'
import { usageMigrations } from '../access/quota/index.ts'
import { threadMigrations } from '../threads/index.ts'
import { userMigrations } from '../access/users/index.ts'

/** The migrations of the server itself. */
const coreMigrations: readonly Migration[] = [
  ...userMigrations,
  ...threadMigrations,
  ...usageMigrations,
  ...erasingMigrations,
  ...expiryMigrations,
  ...clockMigrations,
]

/** All migrations of a server with these agents, in the order in which they run. */
export function migrationsOf(agents: readonly Pick<AgentFactory, 'migrations'>[]): readonly Migration[] {
  return [...coreMigrations, ...agents.flatMap(({ migrations = [] }) => migrations)]
}
