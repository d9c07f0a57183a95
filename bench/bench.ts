import { cpus, platform, release } from 'node:os'

import { coldStart } from './cold-start.ts'
import { packedLogs } from './packed-logs.ts'
import { envelopes } from './envelopes.ts'
import { disconnectedReaders, idleReaders, stalledReader } from './memory.ts'
import { manyPostings } from './jobs-postings.ts'
import { atPace, firstToken, manyReaders, nativeSpeed } from './speed.ts'

/**
 * Measures costs on one machine, as ratios to bare `node:http`. Each measured server is a process of its own and
 * reports on itself; the readers run here. Figures are printed, not asserted: they depend on the machine.
 */

const parts: Readonly<Record<string, () => Promise<string>>> = {
  native: nativeSpeed,
  pace: atPace,
  readers: manyReaders,
  first: firstToken,
  stalled: stalledReader,
  idle: idleReaders,
  disconnected: disconnectedReaders,
  envelopes,
  packed: packedLogs,
  cold: coldStart,
  postings: manyPostings,
}

const names = process.argv.slice(2)
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
  ].join(', '),
)
for (const [name, measure] of Object.entries(parts)) {
  if (names.length === 0 || names.includes(name)) say(await measure())
}

function say(words: string): void {
  process.stdout.write(`${words}\n\n`)
}
