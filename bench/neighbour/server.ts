import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'

import { openServer } from '../../apps/server/src/main.ts'
import { withTokensInFile } from '../../test/support/users.ts'
import { models } from './neighbour-model.ts'

/**
 * The whole server in its own process, as `dragoman` starts it, with tokens, guests and a scripted model. Everything
 * else is as by default. It reports on itself when it gets a command.
 */

export type Command = 'report' | 'end'
export type ServerReport = {
  /** The largest resident memory since the last report, in bytes. */
  readonly rss: number
  /** The longest delay of the event loop since the last report, in ms. */
  readonly delayMs: number
  /** CPU time of all threads since the last report, in ms. */
  readonly cpuMs: number
}
export type ServerStart = { readonly url: string; readonly tokens: Readonly<Record<string, string>> }

const SAMPLE_MS = 50

const home = await mkdtemp(join(tmpdir(), 'dragoman-neighbour-'))
const tokens = await createTokens((process.env['USERS'] ?? '').split(','))
const flags = ['--home', home, '--port', '0', '--require-token', '--guests', '--log-level', 'fatal']
const server = await openServer(flags, {}, { models })

const delay = monitorEventLoopDelay({ resolution: 5 })
delay.enable()
let rss = 0
let cpu = process.cpuUsage()
const sampling = setInterval(() => {
  rss = Math.max(rss, process.memoryUsage.rss())
}, SAMPLE_MS)

// The bench process may have failed.
process.on('disconnect', () => process.exit())
process.on('message', (command: Command) => {
  if (command === 'report') process.send?.(report())
  else void close()
})
process.send?.({ url: await server.listen(), tokens } satisfies ServerStart)

async function createTokens(users: readonly string[]): Promise<Readonly<Record<string, string>>> {
  return withTokensInFile(home, async (all) => {
    const secrets: [string, string][] = []
    for (const user of users) secrets.push([user, (await all.create({ name: user, userId: user })).secret])
    return Object.fromEntries(secrets)
  })
}

function report(): ServerReport {
  const { user, system } = process.cpuUsage(cpu)
  const result = {
    rss: Math.max(rss, process.memoryUsage.rss()),
    delayMs: delay.max / 1e6,
    cpuMs: (user + system) / 1000,
  }
  rss = 0
  cpu = process.cpuUsage()
  delay.reset()
  return result
}

async function close(): Promise<void> {
  clearInterval(sampling)
  await server.close()
  await rm(home, { recursive: true, force: true })
  process.disconnect()
}
