import type { Migration } from './migrate.ts'

/** How the names of the server's own migrations begin. Names of an agent's migrations begin with its id. */
const CORE_PREFIXES = ['users', 'threads', 'usage', 'erasing', 'expiry', 'clock', 'core']

/** What a database tells of the versions that have changed it. */
export type AppliedMigrations = {
  /** In the order in which they were applied, if the database keeps it. */
  readonly names: readonly string[]
  /** Those that a program without them need not know: see `Migration.olderMayWrite`. */
  readonly compatible: readonly string[]
}

/** What a program knows of the tables of a database. */
export type TableVersion = {
  readonly migrations: readonly Migration[]
  /** How the names of its migrations begin. Others belong to agents that it does not have. */
  readonly prefixes: readonly string[]
}

type MigratingAgent = { readonly id: string; readonly migrations?: readonly Migration[] | undefined }

/** The version of a server with these agents. */
export function tableVersion(
  migrations: readonly Migration[],
  agents: readonly MigratingAgent[],
): TableVersion {
  // An agent without tables writes none of a later version of itself.
  const owners = agents.filter((agent) => agent.migrations !== undefined && agent.migrations.length > 0)
  return { migrations, prefixes: [...CORE_PREFIXES, ...owners.map(({ id }) => id)] }
}

/** The applied migrations that a program does not know, but would have to know to write the database. */
export function newerMigrations(
  { migrations, prefixes }: TableVersion,
  { names, compatible }: AppliedMigrations,
): string[] {
  const familiar = new Set([...migrations.map(({ name }) => name), ...compatible])
  return names.filter(
    (name) => !familiar.has(name) && prefixes.some((prefix) => name.startsWith(`${prefix}-`)),
  )
}

/** What to do about tables that a newer version has changed. Undefined if the program may write them. */
export function describeNewer(version: TableVersion, applied: AppliedMigrations): string | undefined {
  const newer = newerMigrations(version, applied)
  if (newer.length === 0) return undefined
  return (
    `a newer version of dragoman has changed its tables (${newer.join(', ')}), so use that version ` +
    'or restore an earlier backup'
  )
}
