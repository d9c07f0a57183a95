import type { DatabaseSource } from '@dragoman/postgres'
import type { ClusterNode } from 'dragoman/cluster'

import { checkMigrations } from './check-migrations.ts'
import { note, ok, problem, reasonOf, type Finding } from './finding.ts'

/** A notice that takes longer makes readers on other nodes wait. */
const MAX_NOTICE_MS = 100
/** A node opens at most so many connections. */
const CONNECTIONS_PER_NODE = 10

/** Whether the database of `DATABASE_URL` can be used, and which nodes use it. Changes nothing. */
export async function checkSharedDatabase(source: DatabaseSource): Promise<Finding[]> {
  const { examineDatabase } = await import('@dragoman/postgres')
  try {
    const {
      version,
      connections,
      noticeMs,
      migrations: names,
      compatible,
      nodes,
    } = await examineDatabase(source)
    return [
      ok(`Database: PostgreSQL ${version} answers.`),
      checkConnections(connections),
      checkNotices(noticeMs),
      names
        ? checkMigrations({ names, compatible })
        : note('Database: it has no tables yet. The first start creates them.'),
      ...nodes.map(describeNode),
    ]
  } catch (error) {
    return [problem(`Database: that of DATABASE_URL cannot be used: ${reasonOf(error)}.`)]
  }
}

function checkConnections({ open, max }: { readonly open: number; readonly max: number }): Finding {
  const text = `Database: ${open} of ${max} connections are open. A node uses at most ${CONNECTIONS_PER_NODE}.`
  return (max - open < CONNECTIONS_PER_NODE ? note : ok)(text)
}

function checkNotices(ms: number | undefined): Finding {
  if (ms === undefined)
    return problem(
      'Database: a notice does not come back. A pooler in transaction mode loses notices: connect directly.',
    )
  const text = `Database: a notice takes ${ms.toFixed(1)} ms.`
  return ms > MAX_NOTICE_MS ? note(text) : ok(text)
}

function describeNode({ name, place, isAlive, runs, reportedAt }: ClusterNode): Finding {
  const [host = name, pid = ''] = name.split('/')
  const who = `Node: ${host}, process ${pid}${place === null ? '' : `, place ${place}`}`
  if (isAlive) return ok(`${who}, is alive and drives ${runs} runs.`)
  return note(`${who}, has not reported since ${new Date(reportedAt).toISOString()}. It has ${runs} runs.`)
}
