import { isJsonObject, parseJson, type Json, type LogEntry, type Message, type Run } from 'dragoman/events'
import { httpProfile, parseAgUiViewOptions } from './ag-ui-view-options.ts'
import { createEncoder } from './encode.ts'
import { toAgUiMessages } from './to-ag-ui-messages.ts'
import { toPageMessages } from './to-page-messages.ts'
import type { Interrupt } from './wire.ts'

/** A live run of the conversation, with the structure of its log. */
export type LiveRun = { readonly run: Run; readonly entries: readonly LogEntry[] }

/**
 * What a page of TanStack AI asks for when it opens: the messages, and either the questions that wait for a person or
 * the run that it follows from its start.
 */
export function toPageState({
  run,
  view,
  messages,
  live,
}: {
  readonly run: Run
  readonly view: Json
  readonly messages: readonly Message[]
  readonly live?: LiveRun | undefined
}): { [field: string]: unknown } {
  const profile = httpProfile(parseAgUiViewOptions(view))
  const question = live && questionOf(live, view)
  const isFollowed = live !== undefined && question === undefined
  // A run that is followed sends its answer itself.
  const past = isFollowed ? messages.filter(({ id }) => id !== live.run.messageId) : messages
  return {
    messages: toPageMessages(toAgUiMessages(run, past, profile), question?.pending ?? []),
    activeRun: isFollowed ? { runId: live.run.id } : null,
    interrupts: question ?? null,
  }
}

/** What the run asks of a person, under the name of the client's run that asks. */
function questionOf(
  { run, entries }: LiveRun,
  view: Json,
): { runId: Json | undefined; pending: readonly Interrupt[] } | undefined {
  const encode = createEncoder({ run, view }, httpProfile(parseAgUiViewOptions(view)))
  const last = parseJson(entries.flatMap((entry) => encode(entry)).at(-1) ?? '')
  if (!isJsonObject(last) || !isJsonObject(last['outcome'])) return undefined
  const { type, interrupts } = last['outcome']
  return type === 'interrupt'
    ? { runId: last['runId'], pending: interrupts as unknown as Interrupt[] }
    : undefined
}
