import { shareServerKeys } from '../access/users/index.ts'
import type { Database } from '../database/index.ts'
import type { AgentFactory } from '../modules/index.ts'
import { rewriteAllMessageWords } from '../threads/index.ts'

/** What was not in the rows of a home that were moved into this database: full-text indexes, and keys. */
export async function completeImport(
  db: Database,
  home: string,
  agents: readonly Pick<AgentFactory, 'rebuildIndexes'>[],
): Promise<void> {
  await rewriteAllMessageWords(db)
  for (const { rebuildIndexes } of agents) await rebuildIndexes?.(db)
  await shareServerKeys(db, home)
}
