import { monitorEventLoopDelay } from 'node:perf_hooks'

import { house, type Disk } from './house.ts'
import { openGate } from './speech.ts'
import { aiSdkRoute, bare, bareFanOut } from './yardsticks.ts'

/** One that is measured, in a process of its own. It reports on itself when asked to. */

export type Asked = 'mark' | 'report' | 'open' | 'end'
export type Report = {
  /** CPU since `mark`, of all threads, in µs. */
  readonly cpu: number
  /** How long the event loop was held up since `mark`, in ms. */
  readonly stallMs: number
  readonly worstMs: number
  /** Heap and buffers after a collection, in bytes. */
  readonly held: number
  readonly rss: number
  /** Sockets, timers and what else is open. */
  readonly handles: number
}
export type Ended = Disk

const role = process.env['ROLE'] ?? 'default'
const delay = monitorEventLoopDelay({ resolution: 1 })
let marked = process.cpuUsage()

const { url, end } = await open()

// The bench may fail, and is gone then.
process.on('disconnect', () => process.exit())
process.on('message', (asked: Asked) => {
  if (asked === 'mark') mark()
  if (asked === 'report') process.send?.(report())
  if (asked === 'open') openGate()
  if (asked === 'end') void close()
})

async function open(): Promise<{ url: string; end(): Promise<Disk> }> {
  const yardstick = { bare, 'bare-fan-out': bareFanOut, 'ai-sdk-route': aiSdkRoute }[role]
  if (!yardstick) return house(role)
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
  marked = process.cpuUsage()
  process.send?.({})
}

function report(): Report {
  const { user, system } = process.cpuUsage(marked)
  const [stallMs, worstMs] = [delay.percentile(99) / 1e6, delay.max / 1e6]
  global.gc?.()
  const { heapUsed, external, rss } = process.memoryUsage()
  const handles = process.getActiveResourcesInfo().length
  return { cpu: user + system, stallMs, worstMs, held: heapUsed + external, rss, handles }
}

async function close(): Promise<void> {
  const ended: Ended = await end()
  process.send?.(ended)
  process.disconnect()
}

process.send?.({ url })
