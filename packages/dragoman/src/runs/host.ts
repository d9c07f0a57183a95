import type { Desk } from './desk.ts'
import type { CallHooks, EngineCall, EngineHost, ToolOutcome } from '../agents/index.ts'
import { raceAbort } from '../async/index.ts'
import type { RunEvent, ToolPart, UserMessage } from '../events/index.ts'
import type { OutsideEntry } from '../log/index.ts'
import type { Claimed } from './claimed.ts'
import type { Cause } from './cause.ts'
import { hookedCalls, type HookedCalls } from './hooked-calls.ts'
import { openCalls, type OpenCalls } from './open-calls.ts'
import { leaveOpen } from './parking.ts'
import type { Past } from './past.ts'
import { sharedState, stateOf, type SharedState } from './shared-state.ts'
import { toolExecutor, type ToolExecutor } from './tool-executor.ts'
import { toolInputs } from './tool-inputs.ts'

/** What the engine sees of its run, and what its runner does beside. */
export interface Host extends EngineHost {
  /** Takes in what the user does meanwhile: a stop, an answer, a message, another state. Once is enough, twice does no harm. */
  hear(entry: OutsideEntry): void
  /** Sets calls to work that an earlier attempt left. */
  goOn(left: readonly ToolPart[]): void
  /**
   * Resolves once each call has its outcome, and `last` is written then. Where only questions are left the run is parked instead: that
   * gives false, and aborts the engine as `waiting`. But what the user has said meanwhile stands for the answers.
   */
  settled(last?: RunEvent): Promise<boolean>
  /** Ids of the messages that the user has said and the engine has not asked for. */
  readonly unheard: ReadonlySet<string>
  /** Waits for the calls at work (they are left behind in time), then the engine is heard no more. */
  close(): Promise<void>
  /** An engine begins anew, and knows all that the log has said so far. */
  reopen(past: Past): void
}

const stopped: ToolOutcome = { ok: false, output: null, text: 'The run was stopped.' }

export function hostOf(claimed: Claimed, desk: Desk): Host {
  const { writer, told, control } = desk
  const { signal } = control
  const open = openCalls(signal)
  let closed = false
  let parking: Promise<unknown> = Promise.resolve()
  const write = (event: RunEvent): boolean => {
    if (closed) return false
    told.note(event)
    void writer.write(event)
    return true
  }
  const state = stateFor(claimed, write)
  const executor = executorOf(claimed, desk, { write, open, state })
  const inputs = toolInputs(desk.ports.limits.toolInputBytes)
  const mailbox = mailboxOf(desk, open, state)
  const calls = callsOf(desk, open, (id, call, hooks) => executor.execute(id, inputs.check(call), hooks))
  const settled = settling(claimed, desk, { open, write, mailbox, isClosed: () => closed })
  return {
    signal,
    settled,
    call: calls.call,
    hear: mailbox.hear,
    joined: async () => mailbox.take(),
    get unheard() {
      return mailbox.unheard()
    },
    emit(engineEvent) {
      const event = closed || signal.aborted ? undefined : inputs.accept(engineEvent)
      if (!event) return undefined
      if (event.type === 'step.finished' && open.count > 0) {
        for (const legal of told.hush()) void writer.write(legal)
        const held = settled(event).then(() => undefined)
        parking = held.catch(() => undefined)
        return held
      }
      const waits = told.accept(event).map((legal) => writer.write(legal))
      if (event.type === 'tool.called') calls.whenCalled(event.callId).resolve()
      return waits.find((wait) => wait !== undefined)
    },
    goOn(left) {
      // What the store refused is heard by the writer.
      for (const part of left) open.atWork(() => executor.goOn(part)).catch(() => undefined)
    },
    async close() {
      executor.leave()
      await open.idle()
      // An engine that did not wait for the end of its step has left it to us.
      await parking
      closed = true
    },
    reopen({ events }) {
      closed = false
      calls.forget()
      told.forgetIds()
      for (const event of events) if (event.type === 'user.joined') mailbox.knows(event.messageId)
    },
  }
}

function stateFor({ run, past }: Claimed, write: (event: RunEvent) => boolean): SharedState {
  return sharedState(stateOf(run, past?.events ?? []), past?.last ?? 0, write)
}

type Settling = {
  readonly open: OpenCalls
  readonly write: (event: RunEvent) => void
  readonly mailbox: ReturnType<typeof mailboxOf>
  readonly isClosed: () => boolean
}

function settling(
  claimed: Claimed,
  desk: Desk,
  { open, write, mailbox, isClosed }: Settling,
): Host['settled'] {
  return async (last) => {
    for (;;) {
      await open.idle()
      if (isClosed() || desk.control.signal.aborted) return false
      if (open.asked.length === 0) {
        if (last) write(last)
        return true
      }
      const isAddressed = mailbox.unheard().size > 0
      if ((await leaveOpen(claimed, desk, { last, open, isAddressed, hear: mailbox.hear })) === 'parked')
        return false
    }
  }
}

/** The calls of an engine, each run once however often it is asked for. */
function callsOf({ writer, told, control }: Desk, open: OpenCalls, execute: ToolExecutor['execute']) {
  const { signal } = control
  /** By our id of the call. */
  const outcomes = new Map<string, Promise<ToolOutcome | undefined>>()
  const called = new Map<string, PromiseWithResolvers<void>>()
  const whenCalled = (engineId: string): PromiseWithResolvers<void> => {
    const known = called.get(engineId) ?? Promise.withResolvers<void>()
    called.set(engineId, known)
    return known
  }
  /** Sets a call to work, once it is in the log. */
  const begin = async (asked: EngineCall, hooks: CallHooks | undefined) => {
    await raceAbort(whenCalled(asked.callId).promise, signal, () => undefined)
    const callId = told.callId(asked.callId)
    if (callId === undefined) return {}
    await writer.flush()
    const outcome = outcomes.get(callId) ?? open.atWork(() => execute(callId, asked, hooks))
    outcomes.set(callId, outcome)
    return { outcome }
  }
  return {
    whenCalled,
    async call(asked: EngineCall, hooks?: CallHooks): Promise<ToolOutcome> {
      try {
        const { outcome } = await open.atWork(() => begin(asked, hooks))
        return (await outcome) ?? stopped
      } catch (error) {
        if (!signal.aborted) throw error
        return stopped
      }
    },
    forget(): void {
      outcomes.clear()
      called.clear()
    },
  }
}

function executorOf(
  { run, staff }: Claimed,
  { ports, writer, control }: Desk,
  { write, open, state }: { write: (event: RunEvent) => void; open: OpenCalls; state: SharedState },
): ToolExecutor & Pick<HookedCalls, 'leave'> {
  const report = (error: unknown): void => ports.report(error, run.id)
  const hooked = hookedCalls(control.signal, report)
  const executor = toolExecutor({
    run,
    hooks: staff.engine.hooks,
    hooked,
    tools: new Map(staff.agent.tools.map((tool) => [tool.name, tool])),
    signal: control.signal,
    answerWithinMs: ports.answerWithin * 1000,
    goesOn: () => control.signal.aborted && (control.signal.reason as Cause).kind === 'closing',
    write,
    flush: () => writer.flush(),
    answerTo: open.answerTo,
    model: staff.model,
    state,
    report,
  })
  return { ...executor, leave: hooked.leave }
}

/** What the user says to a run that goes on, until the engine asks. */
function mailboxOf({ told, control }: Desk, open: OpenCalls, state: SharedState) {
  let waiting: UserMessage[] = []
  const known = new Set<string>()
  return {
    hear({ seq, event }: OutsideEntry): void {
      if (event.type === 'state.changed') state.hear(event, seq)
      if (event.type === 'run.stop-requested')
        control.abort({ kind: 'stopped', by: event.by } satisfies Cause)
      if (event.type === 'tool.answered' && told.isAsked(event)) {
        told.note(event)
        open.answer(event.callId, event.answer)
      }
      if (event.type !== 'user.joined' || known.has(event.messageId)) return
      known.add(event.messageId)
      waiting.push({ role: 'user', id: event.messageId, parts: event.input })
    },
    knows(messageId: string): void {
      known.add(messageId)
      waiting = waiting.filter(({ id }) => id !== messageId)
    },
    take: (): UserMessage[] => waiting.splice(0),
    unheard: (): Set<string> => new Set(waiting.map(({ id }) => id)),
  }
}
