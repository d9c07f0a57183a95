import type { LogEntry, RunEvent, UserMessage } from '../events/index.ts'
import { externalEntries, type LogWriter, type ExternalEntry } from '../log/index.ts'
import type { RunnerPorts } from './ports.ts'
import { stopCause } from './abort-cause.ts'
import type { RunTracker } from './run-tracker.ts'
import type { SharedState } from './shared-state.ts'

/**
 * What users do to a run during an attempt: a stop, answers, messages, changes of the shared state. Each entry counts
 * once.
 */
export interface ExternalEvents {
  /** Follows the log until `until` aborts. */
  watch(until: AbortSignal): Promise<void>
  /** Reads what the log has gained, after which the writer knows where it ends. */
  catchUp(): Promise<void>
  /** Takes in entries that were read elsewhere, in their order. */
  take(entries: readonly LogEntry[]): void
  /** Adds a message that the engine must read. */
  addMessage(message: Extract<RunEvent, { type: 'user.joined' }>): void
  /** Ids of the messages that the engine has not read. */
  pendingMessages(): ReadonlySet<string>
  /** Gives the engine the messages that it has not read. */
  readMessages(): UserMessage[]
}

type Options = {
  readonly runId: string
  /** The last entry that is known when the attempt begins. */
  readonly after: number
  readonly ports: Pick<RunnerPorts, 'log' | 'store'>
  readonly writer: LogWriter
  readonly tracker: RunTracker
  readonly state: SharedState
  readonly control: AbortController
  /** Called with each entry that is not of the run's own writer. */
  readonly onEntry: (event: ExternalEntry['event']) => void
}

export function createExternalEvents(options: Options): ExternalEvents {
  const { runId, ports, writer, tracker, state, control } = options
  let last = options.after
  let pending: UserMessage[] = []

  const addMessage: ExternalEvents['addMessage'] = ({ messageId, input }) =>
    void pending.push({ role: 'user', id: messageId, parts: input })
  const takeOne = ({ seq, event }: ExternalEntry): void => {
    if (seq <= last) return
    last = seq
    const isOwn = event.type === 'state.changed' && event.by === undefined
    if (!isOwn) options.onEntry(event)
    if (event.type === 'state.changed') state.take(event)
    if (event.type === 'run.stop-requested') control.abort(stopCause(event))
    if (event.type === 'tool.answered' && tracker.calls.isAsked(event)) {
      tracker.note(event)
      tracker.calls.reply(event.callId, event.answer)
    }
    if (event.type === 'user.joined') addMessage(event)
  }
  const take: ExternalEvents['take'] = (entries) => {
    for (const entry of externalEntries(entries)) takeOne(entry)
    last = Math.max(last, entries.at(-1)?.seq ?? 0)
  }
  return {
    async watch(until) {
      for await (const entry of ports.log.followExternal(runId, last, until)) takeOne(entry)
    },
    async catchUp() {
      take(await ports.store.read(runId, last, { structure: true, limit: Number.MAX_SAFE_INTEGER }))
      writer.saw(last)
    },
    take,
    addMessage,
    pendingMessages: () => new Set(pending.map(({ id }) => id)),
    readMessages: () => pending.splice(0),
  }
}
