import type { LogEntry } from '../packages/dragoman/src/index.ts'
import type { RecoveryTimes } from './recovery-times.ts'

/** Counts events for the final report. */
export interface Summary {
  run(entries: readonly LogEntry[]): void
  strike(kind: string, ms: number): void
  lines(recovery: RecoveryTimes): readonly string[]
}

export function createSummary(): Summary {
  const counts = new Map<string, number>()
  const strikes = new Map<string, { count: number; ms: number }>()
  const add = (to: Map<string, number>, name: string, by = 1): void =>
    void to.set(name, (to.get(name) ?? 0) + by)
  const of = (name: string): number => counts.get(name) ?? 0
  return {
    run(entries) {
      const types = entries.map(({ event }) => event.type)
      const crashes = entries.filter(
        ({ event }) => event.type === 'run.resumed' && event.because === 'crash',
      ).length
      add(counts, 'runs')
      add(counts, 'entries', entries.length)
      add(counts, types.at(-1) ?? 'no end')
      add(counts, 'calls', types.filter((type) => type === 'tool.executing').length)
      add(counts, 'crashes', crashes)
      if (crashes > 0) add(counts, 'continued')
    },
    strike(kind, ms) {
      const before = strikes.get(kind) ?? { count: 0, ms: 0 }
      strikes.set(kind, { count: before.count + 1, ms: before.ms + ms })
    },
    lines(recovery) {
      const byCount = [...strikes].toSorted(([, a], [, b]) => b.count - a.count)
      return [
        ...byCount.map(([kind, { count, ms }]) => `${String(count).padStart(5)} ${kind}${lasting(ms)}`),
        `${of('runs')} runs: ${of('run.finished')} finished, ${of('run.failed')} failed, ` +
          `${of('run.cancelled')} cancelled; ${of('continued')} went on after a crash, ${of('crashes')} times`,
        `${of('entries')} entries, ${of('calls')} tool calls`,
        ...Object.entries(recovery.seconds).flatMap(([blow, seconds]) => recoveryLine(blow, seconds)),
      ]
    },
  }
}

function lasting(ms: number): string {
  return ms === 0 ? '' : `, ${(ms / 1000).toFixed(1)} s in all`
}

function recoveryLine(blow: string, seconds: readonly number[]): string[] {
  if (seconds.length === 0) return []
  const sorted = seconds.toSorted((a, b) => a - b)
  const at = (share: number): string => (sorted[Math.ceil(share * sorted.length) - 1] ?? 0).toFixed(2)
  return [
    `seconds to recovery after a ${blow}: p50 ${at(0.5)}, p99 ${at(0.99)}, most ${at(1)} (${seconds.length} runs)`,
  ]
}
