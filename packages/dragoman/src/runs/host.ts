import type { CallHooks, EngineCall, EngineHost, ToolOutcome } from '../agents/index.ts'
import { raceAbort } from '../async/index.ts'
import type { RunEvent, ToolPart } from '../events/index.ts'
import { abortCause } from './abort-cause.ts'
import { hookedCalls, type HookedCalls } from './hooked-calls.ts'
import type { RunContext } from './run-context.ts'
import { settleCalls } from './suspend.ts'
import { toolExecutor, type ToolExecutor } from './tool-executor.ts'
import { toolInputs } from './tool-inputs.ts'

/** One phase of an attempt: it finishes the calls of an earlier attempt, or drives the engine. */
export interface Host extends EngineHost {
  /** Continues calls that an earlier attempt left. */
  resume(calls: readonly ToolPart[]): void
  /** Resolves once each call has its outcome. Suspends the run if only questions are left. */
  settled(): Promise<void>
  /** Waits for the calls at work, which are abandoned in time. What the engine says from then on has no effect. */
  close(): Promise<void>
}

const stopped: ToolOutcome = { ok: false, output: null, text: 'The run was stopped.' }

/** A call as the engine names it. */
type HostCall = {
  readonly logged: PromiseWithResolvers<void>
  outcome?: Promise<ToolOutcome | undefined>
}

export function createHost(context: RunContext): Host {
  const { ports, writer, tracker, external, control } = context
  const { signal } = control
  const { calls } = tracker
  let closed = false
  /** A step's end waits until its calls have their outcomes. */
  let stepEnd: Promise<unknown> = Promise.resolve()
  const write = (event: RunEvent): boolean => {
    if (closed) return false
    tracker.note(event)
    void writer.write(event)
    return true
  }
  const executor = executorOf(context, write)
  const inputs = toolInputs(ports.limits.toolInputBytes)
  const settle = (last?: RunEvent) => settleCalls(context, { write, isClosed: () => closed, last })
  /** Our ids of the engine's calls. */
  const callIds = new Map<string, string>()
  const hostCalls = new Map<string, HostCall>()
  const hostCall = (engineId: string): HostCall => {
    const known = hostCalls.get(engineId) ?? { logged: Promise.withResolvers<void>() }
    hostCalls.set(engineId, known)
    return known
  }
  /** Runs a call once it is in the log, and once only. */
  const begin = async (call: EngineCall, hooks: CallHooks | undefined): Promise<Partial<HostCall>> => {
    const known = hostCall(call.callId)
    await raceAbort(known.logged.promise, signal, () => undefined)
    const callId = callIds.get(call.callId)
    if (callId === undefined) return {}
    await writer.flush()
    known.outcome ??= calls.atWork(() => executor.execute(callId, inputs.check(call), hooks))
    return known
  }
  return {
    signal,
    async call(call, hooks) {
      try {
        const { outcome } = await calls.atWork(() => begin(call, hooks))
        return (await outcome) ?? stopped
      } catch (error) {
        if (!signal.aborted) throw error
        return stopped
      }
    },
    joined: async () => external.readMessages(),
    emit(engineEvent) {
      const event = closed || signal.aborted ? undefined : inputs.accept(engineEvent)
      if (!event) return undefined
      if (event.type === 'step.finished' && calls.areOpen) {
        for (const legal of tracker.endPart()) void writer.write(legal)
        const settled = settle(event).then(() => undefined)
        stepEnd = settled.catch(() => undefined)
        return settled
      }
      const waits = tracker.accept(event, callIds).map((legal) => writer.write(legal))
      if (event.type === 'tool.called') hostCall(event.callId).logged.resolve()
      return waits.find((wait) => wait !== undefined)
    },
    resume(left) {
      // The writer reports what the store refuses.
      for (const part of left) calls.atWork(() => executor.goOn(part)).catch(() => undefined)
    },
    async settled() {
      await settle()
    },
    async close() {
      executor.leave()
      await calls.idle()
      // An engine may return before the end of its step is written.
      await stepEnd
      closed = true
    },
  }
}

function executorOf(
  { run, resolved, ports, writer, tracker, state, control }: RunContext,
  write: (event: RunEvent) => boolean,
): ToolExecutor & Pick<HookedCalls, 'leave'> {
  const report = (error: unknown): void => ports.report(error, run.id)
  const hooked = hookedCalls(control.signal, report)
  const executor = toolExecutor({
    run,
    hooks: resolved.engine.hooks,
    hooked,
    tools: new Map(resolved.agent.tools.map((tool) => [tool.name, tool])),
    signal: control.signal,
    answerWithinMs: ports.answerWithin * 1000,
    goesOn: () => abortCause(control.signal)?.kind === 'closing',
    write,
    flush: () => writer.flush(),
    answerTo: tracker.calls.replyTo,
    model: resolved.model,
    state: { current: state.current, change: (patch) => state.change(patch, write) },
    report,
  })
  return { ...executor, leave: hooked.leave }
}
