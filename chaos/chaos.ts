import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

import { campaign } from './campaign.ts'

/** Kills a server again and again under load, and checks its promises. Exits with 1 if one is broken. */

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '60' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    nodes: { type: 'string', default: '1' },
  },
})

const orders = { kills: number('kills', 0), seed: number('seed', 0), nodes: number('nodes', 1) }
const control = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => control.abort(new Error(signal)))
const home = await mkdtemp(join(tmpdir(), 'dragoman-chaos-'))
try {
  const isPassed = await campaign(orders, { home, signal: control.signal, say })
  process.exitCode = control.signal.aborted ? 130 : Number(!isPassed)
} finally {
  await rm(home, { recursive: true, force: true })
}
// Pending requests to dead servers would keep the process alive.
process.exit()

function number(name: keyof typeof values, least: number): number {
  const value = Number(values[name])
  if (Number.isInteger(value) && value >= least) return value
  process.stderr.write(`--${name} must be a whole number from ${least} on, not "${values[name]}".\n`)
  process.exit(2)
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
