import type { Cluster, UseCount } from './cluster.ts'

/** Ended windows are removed when this many keys are counted. */
const MAX_KEYS = 10_000

type Window = { count: number; readonly endsAt: number }

/** One node, which leads everything and counts in memory. */
export function singleNode(now: () => number = () => performance.now()): Cluster {
  const windows = new Map<string, Window>()
  return {
    lead: (_name, work, signal) => work(signal),
    share: (_name, parts, work, signal) => work([...Array(parts).keys()], signal),
    async count(key, windowMs, uses = 1): Promise<UseCount> {
      const at = now()
      if (windows.size >= MAX_KEYS) removeEnded(windows, at)
      const current = windows.get(key)
      const window = current && current.endsAt > at ? current : { count: 0, endsAt: at + windowMs }
      window.count += uses
      windows.set(key, window)
      return { count: window.count, endsInMs: window.endsAt - at }
    },
    nodes: async () => [],
    onLost: () => undefined,
    health: () => undefined,
  }
}

function removeEnded(windows: Map<string, Window>, at: number): void {
  for (const [key, { endsAt }] of windows) if (endsAt <= at) windows.delete(key)
}
