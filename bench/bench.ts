import { cpus, loadavg, platform, release } from 'node:os'
import { parseArgs } from 'node:util'

import { measureColdStart } from './cold-start.ts'
import { measurePackedLogs } from './packed-logs.ts'
import { measureIdleServer, measureTokenLatency } from './latency.ts'
import { measureEnvelopes } from './envelopes.ts'
import { measureDisconnectedReaders, measureIdleReaders, measureStalledReader } from './memory.ts'
import { measureNeighbour } from './neighbour.ts'
import { measurePostgres } from './postgres.ts'
import { measurePostings } from './jobs-postings.ts'
import { measureUpkeep } from './upkeep.ts'
import { measurePacedRuns, measureFirstToken, measureManyReaders, measureNativeSpeed } from './speed.ts'

/**
 * Measures costs on one machine, as ratios to bare `node:http`. Each measured server is a process of its own and
 * reports on itself; the readers run here. Figures are printed, not asserted: they depend on the machine.
 */

const parts: Readonly<Record<string, () => Promise<string>>> = {
  native: measureNativeSpeed,
  pace: measurePacedRuns,
  latency: measureTokenLatency,
  readers: measureManyReaders,
  first: measureFirstToken,
  stalled: measureStalledReader,
  idle: measureIdleReaders,
  disconnected: measureDisconnectedReaders,
  envelopes: measureEnvelopes,
  packed: measurePackedLogs,
  cold: measureColdStart,
  'idle-server': measureIdleServer,
  postings: measurePostings,
  neighbour: () => measureNeighbour(only),
  postgres: () => measurePostgres(url ?? process.env['DATABASE_URL']),
  upkeep: () => measureUpkeep(url ?? process.env['DATABASE_URL']),
}

const { positionals: names, values } = parseArgs({
  options: { url: { type: 'string' }, only: { type: 'string' }, help: { type: 'boolean' } },
  allowPositionals: true,
})
const { url, only } = values
if (values.help) {
  say(`npm run bench -- [PART…] [--only NAME] [--url URL]

Parts: ${Object.keys(parts).join(', ')}; all without one.
--only NAME  of neighbour: the kinds of attack whose name has these words
--url URL    of postgres and upkeep: the database; DATABASE_URL by default`)
  process.exit()
}
const unknown = names.find((name) => !Object.hasOwn(parts, name))
if (unknown) {
  process.stderr.write(`There is no part ${unknown}: ${Object.keys(parts).join(', ')}.\n`)
  process.exit(2)
}

say(
  [
    new Date().toISOString().slice(0, 10),
    `${cpus().length} × ${cpus()[0]?.model.trim() ?? 'CPU'}`,
    `${platform()} ${release()}`,
    `Node ${process.versions.node}`,
    `load ${loadavg()[0]?.toFixed(1)}`,
  ].join(', '),
)
for (const [name, measure] of Object.entries(parts)) {
  if (names.length === 0 || names.includes(name)) say(await measure())
}

function say(words: string): void {
  process.stdout.write(`${words}\n\n`)
}
