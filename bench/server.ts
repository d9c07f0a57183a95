import { readFileSync } from 'node:fs'
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
  /** What was written to files since `mark`, in bytes. Only Linux says it. */
  readonly written: number
  /** Sockets, timers and other open resources. */
  readonly handles: number
}
export type FinalReport = Disk

const role = process.env['ROLE'] ?? 'default'
const delay = monitorEventLoopDelay({ resolution: 1 })
let cpuAtMark = process.cpuUsage()
let writtenAtMark = writtenBytes()

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
  writtenAtMark = writtenBytes()
  process.send?.({})
}

function report(): Report {
  const { user, system } = process.cpuUsage(cpuAtMark)
  const [stallMs, worstMs] = [delay.percentile(99) / 1e6, delay.max / 1e6]
  global.gc?.()
  const { heapUsed, external, rss } = process.memoryUsage()
  const handles = process.getActiveResourcesInfo().length
  return {
    cpu: user + system,
    stallMs,
    worstMs,
    held: heapUsed + external,
    rss,
    written: writtenBytes() - writtenAtMark,
    handles,
  }
}

/** https://man7.org/linux/man-pages/man5/proc_pid_io.5.html */
function writtenBytes(): number {
  if (process.platform !== 'linux') return 0
  return Number(/^write_bytes: (\d+)$/m.exec(readFileSync('/proc/self/io', 'utf8'))?.[1])
}

async function close(): Promise<void> {
  const finalReport: FinalReport = await end()
  process.send?.(finalReport)
  process.disconnect()
}

process.send?.({ url })
