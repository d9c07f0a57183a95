import { styleText } from 'node:util'

import type { AssistantMessage, LogEntry, TerminalEvent } from '@dragoman/client'
import { isTerminal } from 'dragoman/events'
import type { Run } from '@dragoman/client/v1'
import type { Api } from '../remote/api.ts'
import { followError } from '../remote/follow-error.ts'
import { createRunPrinter, findCall } from './run-printer.ts'
import type { Screen } from './screen.ts'
import type { ToolPart } from './tool-line.ts'

/** How following ended: with the terminal event, or with calls that wait for an answer from another client. */
export type Followed = {
  readonly message: AssistantMessage
  readonly end: TerminalEvent['type'] | 'asked'
  readonly waitingCalls: readonly ToolPart[]
}

/** Takes the calls that wait, each time they change. `settled` resolves when no question is open any more. */
export interface Asker {
  update(calls: readonly ToolPart[]): void
  settled(): Promise<void>
}

type FollowAnswerOptions = {
  readonly api: Api
  readonly screen: Screen
  readonly showReasoning: boolean
  readonly signal: AbortSignal
  /** Gets each entry too. */
  readonly onEntry?: ((entry: LogEntry) => void) | undefined
  /** Undefined: following ends when the run waits for an answer. */
  readonly asker?: Asker | undefined
}

/** The response that started a run, or a run that has begun already. */
export type AnswerSource = Response | Run

/**
 * Prints a run until its end, over as many connections as it takes, each entry once.
 * @throws ServiceError if the run cannot be read; the signal's reason if it aborts
 */
export async function followAnswer(source: AnswerSource, options: FollowAnswerOptions): Promise<Followed> {
  const { api, screen, showReasoning, signal, asker } = options
  const printer = createRunPrinter({ screen, showReasoning })
  const waiting = new Set<string>()
  const waitingCalls = (): ToolPart[] =>
    [...waiting].flatMap((callId) => findCall(printer.message, callId) ?? [])
  // Questions of entries before this one may be answered already.
  const lastSeq = 'lastSeq' in source ? source.lastSeq : 0
  const run = 'lastSeq' in source ? source.id : source
  try {
    for await (const entry of api.follow(run, { signal, onConnection: connectionNotice(screen) })) {
      options.onEntry?.(entry)
      printer.print(entry)
      trackWaiting(waiting, entry)
      if (isTerminal(entry.event))
        return { message: printer.message, end: entry.event.type, waitingCalls: [] }
      if (entry.seq < lastSeq) continue
      if (!asker && waiting.size > 0)
        return { message: printer.message, end: 'asked', waitingCalls: waitingCalls() }
      asker?.update(waitingCalls())
    }
    throw new Error('The log ended without a terminal entry.')
  } catch (error) {
    throw followError(error)
  } finally {
    asker?.update([])
    await asker?.settled()
  }
}

function trackWaiting(waiting: Set<string>, { event }: LogEntry): void {
  if (event.type === 'run.waiting') for (const callId of event.calls) waiting.add(callId)
  if (event.type === 'tool.answered' || event.type === 'tool.failed') waiting.delete(event.callId)
  if (event.type === 'run.resumed' || isTerminal(event)) waiting.clear()
}

function connectionNotice(screen: Screen): (isConnected: boolean) => void {
  return (isConnected) =>
    screen.line(styleText('dim', isConnected ? 'Connected again.' : 'Connection lost; reconnecting …'))
}
