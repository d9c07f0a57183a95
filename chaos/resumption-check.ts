import type { EndedRun } from './run-checks.ts'

/** A run whose server was not struck goes on without a new attempt. */
export function resumptionMistakes({ entries, struck }: Pick<EndedRun, 'entries' | 'struck'>): string[] {
  if (struck) return []
  return entries.flatMap(({ seq, event }) =>
    event.type === 'run.resumed' && event.because !== 'answer'
      ? [`entry ${seq} resumes it after a ${event.because}, and no server was struck`]
      : [],
  )
}
