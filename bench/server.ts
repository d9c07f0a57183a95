import { monitorEventLoopDelay } from 'node:perf_hooks'

import { openProductServer, type Disk } from './product-server.ts'
import { openGate } from './bench-model.ts'
import { aiSdkRoute, bareHttp, bareFanOut } from './baselines.ts'

/** A measured server in its own process. It reports on itself when it gets a command. */

export type Command = 'mark' | 'report' | 'open' | 'end'
export type Report = {
  /** CPU since `mark`, of all threads, in µs. */
  readonly cpu: number
  /** The 99th percentile of event loop delay since `mark`, in ms. */
  readonly stallMs: number
  readonly worstMs: number
  /** Heap and buffers after a collection, in bytes. */
  readonly held: number
  readonly rss: number
  /** Sockets, timers and other open resources. */
  readonly handles: number
}
export type FinalReport = Disk

const role = process.env['ROLE'] ?? 'default'
const delay = monitorEventLoopDelay({ resolution: 1 })
let cpuAtMark = process.cpuUsage()

const { url, end } = await open()

// The bench process may have failed.
process.on('disconnect', () => process.exit())
process.on('message', (command: Command) => {
  if (command === 'mark') mark()
  if (command === 'report') process.send?.(report())
  if (command === 'open') openGate()
  if (command === 'end') void close()
})

async function open(): Promise<{ url: string; end(): Promise<Disk> }> {
  const yardstick = { bare: bareHttp, 'bare-fan-out': bareFanOut, 'ai-sdk-route': aiSdkRoute }[role]
  if (!yardstick) return openProductServer(role)
  const listening = await yardstick()
  return {
    url: listening.url,
    async end() {
      listening.close()
      return { disk: 0, packed: 0 }
    },
  }
}

function mark(): void {
  global.gc?.()
  delay.reset()
  delay.enable()
  cpuAtMark = process.cpuUsage()
  process.send?.({})
}

function report(): Report {
  const { user, system } = process.cpuUsage(cpuAtMark)
  const [stallMs, worstMs] = [delay.percentile(99) / 1e6, delay.max / 1e6]
  global.gc?.()
  const { heapUsed, external, rss } = process.memoryUsage()
  const handles = process.getActiveResourcesInfo().length
  return { cpu: user + system, stallMs, worstMs, held: heapUsed + external, rss, handles }
}

async function close(): Promise<void> {
  const finalReport: FinalReport = await end()
  process.send?.(finalReport)
  process.disconnect()
}

process.send?.({ url })
