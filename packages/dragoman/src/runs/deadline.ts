import type { LogEntry } from '../events/index.ts'
import type { AbortCause } from './abort-cause.ts'

/** The longest delay of a timer. */
const MAX_DELAY_MS = 2 ** 31 - 1

type Deadline = {
  /** Seconds that the run may work, in all of its attempts together. */
  readonly seconds: number
  readonly workedMs: number
  /** How long this attempt has waited for people, in ms. */
  readonly waitedMs: () => number
  readonly until: AbortSignal
}

/** Aborts the engine of a run once the run has worked for its time. */
export function startDeadline(
  control: AbortController,
  { seconds, workedMs: before, waitedMs, until }: Deadline,
): void {
  const remainingMs = seconds * 1000 - before
  const expire = (): void => control.abort({ kind: 'deadline', seconds } satisfies AbortCause)
  if (remainingMs <= 0) return expire()
  let passedMs = 0
  const onTime = (): void => {
    const waited = waitedMs() - passedMs
    if (waited < 1) return expire()
    passedMs += waited
    timer = start(waited)
  }
  const start = (ms: number): NodeJS.Timeout => setTimeout(onTime, Math.min(ms, MAX_DELAY_MS))
  let timer = start(remainingMs)
  until.addEventListener('abort', () => clearTimeout(timer), { once: true })
}

/**
 * How long a run has worked, by its log. The time in the queue, the time that it waits for a person, and the time in
 * which no
 * process drives it do not count.
 */
export function workedMs(entries: readonly LogEntry[]): number {
  let ms = 0
  let since: number | undefined
  for (const { at, event } of entries) {
    if (event.type === 'run.resumed') since = at
    if (since !== undefined) ms += at - since
    if (event.type === 'run.waiting') since = undefined
    else if (since !== undefined || event.type === 'step.started') since = at
  }
  return ms
}
