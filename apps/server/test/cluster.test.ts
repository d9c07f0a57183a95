import { expect, it } from 'vitest'

import { openCluster } from '../../../demo/cluster/open-cluster.ts'
import { showFailover } from '../../../demo/cluster/show-failover.ts'
import { hasPostgres } from '../../../test/support/postgres-server.ts'
import { isFull } from '../../../test/support/is-full.ts'

it.runIf(isFull && hasPostgres())(
  'two clients miss nothing of an answer while each node is killed once',
  async () => {
    const cluster = await openCluster({ flags: ['--model', 'offline', '--offline-pace', '2'] })
    try {
      await expect(showFailover(cluster)).resolves.toBeUndefined()
    } finally {
      await cluster.close()
    }
  },
  300_000,
)
