import { ServiceError } from 'dragoman/errors'
import { interruptRuns } from 'dragoman/runs'
import { openStorage } from '../open-storage.ts'
import { refuseNewerStorage } from './bundled-tables.ts'

/**
 * Ends the runs that had not ended in a database of PostgreSQL that its own tools have restored: their tools would act
 * again. @throws ServiceError `conflict` while a node uses it, `unavailable` if a newer version has changed it
 */
export async function restoreShared(env: Readonly<Record<string, string | undefined>>): Promise<void> {
  const storage = await openStorage({ env })
  if (!storage?.store || !storage.cluster || !storage.database) throw new Error('There is no DATABASE_URL.')
  try {
    await refuseNewerStorage(storage.database)
    const nodes = await storage.cluster.nodes()
    if (nodes.some(({ isAlive }) => isAlive))
      throw new ServiceError(
        'conflict',
        'A node uses the database, or did so some seconds ago: stop all nodes, and try again.',
      )
    const count = await interruptRuns(storage.store)
    process.stderr.write(`Runs that had not ended, and are now failed: ${count}.\n`)
  } finally {
    await storage.close()
  }
}
