import { emptyMessage, fold, type LogEntry } from '@dragoman/client'

import type { AssistantMessage } from '../api/types.ts'

/** What the log of a run tells about it. */
export type RunFacts = {
  readonly message: AssistantMessage
  readonly entries: number
  /** From its first entry to its last one. */
  readonly durationMs: number
  /** From its start to the first token. */
  readonly firstTokenMs: number | undefined
  readonly steps: number
  readonly crashes: number
  readonly waits: number
}

export function runFacts(log: readonly LogEntry[]): RunFacts {
  const [first] = log
  const started = log.find(({ event }) => event.type === 'run.started') ?? first
  const token = log.find(({ event }) => event.type === 'text.delta' || event.type === 'reasoning.delta')
  const count = (matches: (event: LogEntry['event']) => boolean): number =>
    log.filter(({ event }) => matches(event)).length
  return {
    message: log.reduce((message, { event }) => fold(message, event), emptyMessage('')),
    entries: log.length,
    durationMs: (log.at(-1)?.at ?? 0) - (first?.at ?? 0),
    firstTokenMs: token && started && token.at - started.at,
    steps: count(({ type }) => type === 'step.started'),
    crashes: count((event) => event.type === 'run.resumed' && event.because === 'crash'),
    waits: count(({ type }) => type === 'run.waiting'),
  }
}

/** One line about an entry: its fields without its type. */
export function entryText({ event }: LogEntry): string {
  const { type: _, ...fields } = event
  return JSON.stringify(fields).slice(1, -1)
}
