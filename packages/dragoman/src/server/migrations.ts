import { trustedClockMigrations } from './trusted-clock.ts'
import type { Migration } from '../database/index.ts'
import { erasureMigrations } from './conversation-erasure.ts'
import { guestRetentionMigrations } from './expire-guests.ts'
import { savedVariableMigrations } from './saved-variables.ts'
import type { AgentFactory } from '../modules/index.ts'
import { usageMigrations } from '../access/quota/index.ts'
import { signInMigrations } from '../mcp/sign-in/sign-in-store.ts'
import { fileMigrations } from '../files/index.ts'
import { threadMigrations } from '../threads/index.ts'
import { storageMigrations } from '../access/storage/index.ts'
import { userMigrations } from '../access/users/index.ts'
import { logMigrations } from './log-migrations.ts'

/** The migrations of the server itself. */
const coreMigrations: readonly Migration[] = [
  ...userMigrations,
  ...threadMigrations,
  ...usageMigrations,
  ...erasureMigrations,
  ...guestRetentionMigrations,
  ...trustedClockMigrations,
  ...storageMigrations,
  ...fileMigrations,
  ...signInMigrations,
  ...savedVariableMigrations,
  ...logMigrations,
]

/** All migrations of a server with these agents, in the order in which they run. */
export function collectMigrations(agents: readonly Pick<AgentFactory, 'migrations'>[]): readonly Migration[] {
  return [...coreMigrations, ...agents.flatMap(({ migrations = [] }) => migrations)]
}
