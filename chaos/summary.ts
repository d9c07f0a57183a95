import type { LogEntry } from '../packages/dragoman/src/index.ts'
import type { RecoveryTimes } from './recovery-times.ts'

/** Counts events for the final report. */
export interface Summary {
  run(entries: readonly LogEntry[]): void
  kill(kind: string): void
  lines(recovery: RecoveryTimes): readonly string[]
}

export function createSummary(): Summary {
  const counts = new Map<string, number>()
  const kills = new Map<string, number>()
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
    kill: (kind) => add(kills, kind),
    lines(recovery) {
      const dealt = Array.from(kills, ([kind, count]) => `${count} ${kind}`).join(', ') || 'none'
      return [
        `${of('runs')} runs: ${of('run.finished')} finished, ${of('run.failed')} failed, ` +
          `${of('run.cancelled')} cancelled; ${of('continued')} went on after a crash, ${of('crashes')} times`,
        `${of('entries')} entries, ${of('calls')} tool calls; kills: ${dealt}`,
        ...Object.entries(recovery.seconds).flatMap(([blow, seconds]) => recoveryLine(blow, seconds)),
      ]
    },
  }
}

function recoveryLine(blow: string, seconds: readonly number[]): string[] {
  if (seconds.length === 0) return []
  const sorted = seconds.toSorted((a, b) => a - b)
  const at = (share: number): string => (sorted[Math.ceil(share * sorted.length) - 1] ?? 0).toFixed(2)
  return [
    `seconds to recovery after a ${blow}: p50 ${at(0.5)}, p99 ${at(0.99)}, most ${at(1)} (${seconds.length} runs)`,
  ]
}
