import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'

import { isCaddyNew } from '../test/support/proxies.ts'
import { campaign } from './campaign.ts'

/** Strikes servers again and again under load, and checks their promises. Exits with 1 if one is broken. */

const DATABASES = ['sqlite', 'postgres', 'pgbouncer'] as const
const PROXIES = ['nginx', 'caddy'] as const

const { values } = parseArgs({
  options: {
    strikes: { type: 'string' },
    kills: { type: 'string', default: '60' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    nodes: { type: 'string', default: '1' },
    database: { type: 'string', default: 'sqlite' },
    proxy: { type: 'string' },
    help: { type: 'boolean' },
  },
})
if (values.help) {
  say(`npm run chaos -- [--kills N | --strikes N] [--nodes N] [--database NAME] [--proxy NAME] [--seed N]

--kills N        kills one server N times, 60 by default
--strikes N      strikes nodes and what they depend on, N times
--nodes N        how many nodes there are, 1 by default
--database NAME  ${DATABASES.join(', ')}; sqlite by default
--proxy NAME     ${PROXIES.join(', ')}: in front of the nodes of strikes, which are restarted one by one, too
--seed N         plays the same once more`)
  process.exit()
}

const database = DATABASES.find((name) => name === values.database)
if (!database) fail(`--database must be one of ${DATABASES.join(', ')}, not "${values.database}".`)
const proxy = PROXIES.find((name) => name === values.proxy)
if (values.proxy !== undefined && (!proxy || database === 'sqlite'))
  fail(`--proxy must be one of ${PROXIES.join(', ')}, in front of nodes with a --database.`)
if (proxy === 'caddy' && !isCaddyNew())
  fail('This Caddy ends broken answers in order, as if they were whole: 2.7.6 is the first that does not.')
const orders = {
  proxy,
  strikes: number(values.strikes === undefined ? 'kills' : 'strikes', 0),
  seed: number('seed', 0),
  nodes: number('nodes', 1),
  database,
}
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

function number(name: 'strikes' | 'kills' | 'seed' | 'nodes', least: number): number {
  const value = Number(values[name])
  if (Number.isInteger(value) && value >= least) return value
  fail(`--${name} must be a whole number from ${least} on, not "${values[name]}".`)
}

function fail(sentence: string): never {
  process.stderr.write(`${sentence}\n`)
  process.exit(2)
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
