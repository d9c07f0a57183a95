import { migrate } from '../packages/dragoman/src/database/index.ts'
import { pieceByPiece } from '../packages/dragoman/src/log/piece-by-piece.ts'
import { collectMigrations } from '../packages/dragoman/src/server/migrations.ts'
import { createThreadServices, PROJECTION_PARTS } from '../packages/dragoman/src/threads/index.ts'
import { openPostgres } from '../packages/postgres/src/index.ts'

/** A node that does one kind of upkeep until it is told to stop. */

export type UpkeepWork = 'pack' | 'project'
export type UpkeepCommand = UpkeepWork | 'stop'
/** CPU of all threads since the work began, in µs. */
export type UpkeepReport = { readonly cpu: number }

const { store, database, cluster, close } = await openPostgres(process.env['DATABASE_URL'] ?? '')
await migrate(database, collectMigrations([]))
const { projector } = createThreadServices(database, store, {})
const stopped = new AbortController()
let working: Promise<void> = Promise.resolve()
let cpuAtStart = process.cpuUsage()

process.on('disconnect', () => process.exit())
process.on('message', (command: UpkeepCommand) => {
  if (command === 'stop') void stop()
  else working = begin(command)
})
process.send?.('ready')

function begin(work: UpkeepWork): Promise<void> {
  cpuAtStart = process.cpuUsage()
  if (work === 'pack') return pieceByPiece(() => store.pack(Date.now() + 1000), stopped.signal)
  const report = (error: unknown): void => void process.stderr.write(`${String(error)}\n`)
  return cluster.share(
    'projector',
    PROJECTION_PARTS,
    (mine, signal) => projector.keepUp(signal, report, mine),
    stopped.signal,
  )
}

async function stop(): Promise<void> {
  stopped.abort()
  await working
  const { user, system } = process.cpuUsage(cpuAtStart)
  process.send?.({ cpu: user + system } satisfies UpkeepReport)
  await close()
  process.disconnect()
}
