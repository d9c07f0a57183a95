import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { startPostgres } from '../../test/support/postgres-server.ts'
import { startNode, type Node, type NodeOptions } from './node.ts'
import { openProxy, type Proxy } from './proxy.ts'

export type Cluster = {
  readonly nodes: readonly Node[]
  readonly proxy: Proxy
  readonly databaseUrl: string
  readonly close: () => Promise<void>
}

export type ClusterOptions = Pick<NodeOptions, 'flags' | 'env'> & {
  /** The proxy's port; the nodes have the next ones. By default all are free ones. */
  readonly port?: number
}

const NODES = [1, 2, 3]

/** Three nodes with one PostgreSQL server of their own, and a proxy in front. `close` leaves nothing of them. */
export async function openCluster({ port, ...options }: ClusterOptions = {}): Promise<Cluster> {
  await using opened = new AsyncDisposableStack()
  const home = await mkdtemp(join(tmpdir(), 'dragoman-cluster-'))
  opened.defer(() => rm(home, { recursive: true, force: true }))
  const postgres = await startPostgres()
  opened.defer(postgres.stop)
  const nodes: Node[] = []
  for (const number of NODES) {
    const ownPort = port === undefined ? 0 : port + number
    const node = await startNode(`node ${number}`, {
      ...options,
      port: ownPort,
      home,
      databaseUrl: postgres.url,
    })
    opened.defer(node.stop)
    nodes.push(node)
  }
  const proxy = await openProxy(nodes, port ?? 0)
  opened.defer(proxy.close)
  const all = opened.move()
  return { nodes, proxy, databaseUrl: postgres.url, close: () => all.disposeAsync() }
}
