import type { CallHooks, EngineCall, EngineHost, ToolOutcome } from '../agents/index.ts'
import { guardSignal, raceAbort } from '../async/index.ts'
import type { RunEvent, ToolPart } from '../events/index.ts'
import { eventSize } from '../log/index.ts'
import { createEmitGuard } from './emit-guard.ts'
import type { RunContext } from './run-context.ts'
import { settleCalls } from './settle-calls.ts'
import { createHostFiles } from './host-files.ts'
import { createToolExecutor, type ToolExecutor } from './tool-executor.ts'
import { createToolInputGuard } from './tool-input-guard.ts'

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

export function createEngineHost(context: RunContext): Host {
  const { run, ports, writer, budget, tracker, external, unanswered, control } = context
  const { signal } = control
  const guard = createEmitGuard(context)
  let closed = false
  let stepEnd: Promise<unknown> = Promise.resolve()
  const write = (event: RunEvent): boolean => {
    const bytes = eventSize(event)
    if (closed || (isOptional(event) && !budget.fits(bytes))) return false
    tracker.note(event)
    void writer.write(event, bytes)
    return true
  }
  const guarded = guardSignal(signal, (error) => ports.report(error, run.id))
  const engineGone = new AbortController()
  const executor = createToolExecutor(context, { write, engineGone: engineGone.signal })
  const inputs = createToolInputGuard(ports.limits.toolInputBytes)
  const settle = (last?: RunEvent) => settleCalls(context, { write, isClosed: () => closed, last })
  const engineCalls = createEngineCalls(context, (callId, call, hooks) =>
    executor.execute(callId, inputs.check(call), hooks),
  )
  return {
    signal: guarded.signal,
    call: engineCalls.call,
    charge: unanswered.charge,
    takeUserMessages: async () => external.readMessages(),
    ...createHostFiles(run, ports.files, signal),
    emit(engineEvent) {
      guard.count()
      const event = closed || signal.aborted ? undefined : inputs.accept(engineEvent)
      const bytes = event && guard.sizeOf(event)
      if (!event || bytes === undefined) return guard.turn()
      if (event.type === 'step.started' || event.type === 'step.finished') unanswered.answer()
      if (event.type === 'step.finished' && tracker.calls.areOpen) {
        for (const ended of tracker.endOutput(event.reason)) void writer.write(ended)
        const settling = settle(event).then(() => undefined)
        stepEnd = settling.catch(() => undefined)
        return settling
      }
      const legal = tracker.accept(event, engineCalls.ids)
      // What is closed before it is small.
      const waits = legal.map((each, at) => writer.write(each, at === legal.length - 1 ? bytes : undefined))
      if (event.type === 'tool.called') engineCalls.markLogged(event.callId)
      return waits.find((wait) => wait !== undefined)
    },
    resume(openCalls) {
      // The writer reports what the store refuses.
      for (const part of openCalls) tracker.calls.atWork(() => executor.resume(part)).catch(() => undefined)
    },
    settled: async () => void (await settle()),
    async close() {
      engineGone.abort()
      await tracker.calls.idle()
      // An engine may return before the end of its step is written.
      await stepEnd
      guarded.release()
      closed = true
    },
  }
}

/** What a tool reports of its own accord. Where the log is full, it is left out. */
function isOptional({ type }: RunEvent): boolean {
  return type === 'tool.progressed' || type === 'state.changed'
}

/** A call by the engine's id. */
type EngineCallState = {
  readonly logged: PromiseWithResolvers<void>
  outcome?: Promise<ToolOutcome | undefined>
}

/** The calls of one engine, each run once however often the engine asks. */
function createEngineCalls({ writer, tracker, control }: RunContext, execute: ToolExecutor['execute']) {
  const { signal } = control
  const { calls } = tracker
  /** Our ids, by the engine's. */
  const ids = new Map<string, string>()
  const states = new Map<string, EngineCallState>()
  const stateOf = (engineId: string): EngineCallState => {
    const state = states.get(engineId) ?? { logged: Promise.withResolvers<void>() }
    states.set(engineId, state)
    return state
  }
  /** Runs a call once it is in the log. */
  const begin = async (call: EngineCall, hooks?: CallHooks): Promise<Partial<EngineCallState>> => {
    const state = stateOf(call.callId)
    await raceAbort(state.logged.promise, signal, () => undefined)
    const callId = ids.get(call.callId)
    if (callId === undefined) return {}
    await writer.flush()
    state.outcome ??= calls.atWork(() => execute(callId, call, hooks))
    return state
  }
  return {
    ids,
    markLogged: (engineId: string): void => stateOf(engineId).logged.resolve(),
    async call(call: EngineCall, hooks?: CallHooks): Promise<ToolOutcome> {
      try {
        const { outcome } = await calls.atWork(() => begin(call, hooks))
        return (await outcome) ?? stopped
      } catch (error) {
        if (!signal.aborted) throw error
        return stopped
      }
    },
  }
}
