import { once } from 'node:events'

import { say } from '../say.ts'
import { openCluster } from './open-cluster.ts'
import { showFailover } from './show-failover.ts'

/**
 * Three nodes on this machine with a PostgreSQL server of their own, and a proxy in front at port 3030, until Ctrl+C.
 * With `--demo`, two clients follow an answer while each node is killed once. It exits with 1 if one misses anything.
 */

const PORT = 3030
/** The built-in model answers slowly enough to kill three nodes meanwhile. */
const SLOWLY = ['--model', 'offline', '--offline-pace', '2', '--log-level', 'silent']

if (process.argv.includes('--demo')) {
  const cluster = await openCluster({ flags: SLOWLY })
  try {
    await showFailover(cluster)
    say('Nobody missed anything.')
  } finally {
    await cluster.close()
  }
} else {
  const flags = process.argv.slice(2)
  const { nodes, proxy, databaseUrl, close } = await openCluster({ port: PORT, flags })
  say(`dragoman   ${proxy.url}`)
  for (const { name, url } of nodes) say(`${name}     ${url()}`)
  say(`PostgreSQL ${databaseUrl}`)
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')])
  await close()
}
