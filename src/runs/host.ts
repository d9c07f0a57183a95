import type { EngineHost, ToolOutcome } from '../engines/index.ts'
import type { RunEvent } from '../events/index.ts'
import type { LogWriter } from '../log/index.ts'
import type { Claimed, RunnerPorts } from './claimed.ts'
import { toolExecutor } from './tool-executor.ts'
import type { Transcript } from './transcript.ts'

/** What a runner works with. */
export type Desk = { readonly ports: RunnerPorts; readonly writer: LogWriter; readonly told: Transcript }

/** What the engine sees of its run. `close` waits for the tools at work (they are left behind in time), then it is heard no more. */
export function hostOf(
  { run, staff }: Claimed,
  { ports, writer, told, signal }: Desk & { signal: AbortSignal },
): EngineHost & { close(): Promise<void> } {
  let closed = false
  /** By our id of the call: one call is run once, however often it is asked for. */
  const outcomes = new Map<string, Promise<ToolOutcome>>()
  const called = new Map<string, PromiseWithResolvers<void>>()
  const whenCalled = (engineId: string): PromiseWithResolvers<void> => {
    const known = called.get(engineId) ?? Promise.withResolvers<void>()
    called.set(engineId, known)
    return known
  }
  const write = (event: RunEvent): void => {
    if (closed) return
    told.note(event)
    void writer.write(event)
  }
  const executor = toolExecutor({
    run,
    tools: new Map(staff.tools.map((tool) => [tool.name, tool])),
    signal,
    write,
    flush: () => writer.flush(),
    report: (error) => ports.report(error, run.id),
  })
  return {
    signal,
    emit(event) {
      if (closed || signal.aborted) return undefined
      const waits = told.accept(event).map((legal) => writer.write(legal))
      if (event.type === 'tool.called') whenCalled(event.callId).resolve()
      return waits.find((wait) => wait !== undefined)
    },
    async call(call) {
      const stopped = { ok: false, output: null, text: 'The run was stopped.' }
      await Promise.race([whenCalled(call.callId).promise, aborted(signal)])
      const callId = told.callId(call.callId)
      if (callId === undefined) return stopped
      try {
        await writer.flush()
        const outcome = outcomes.get(callId) ?? executor.execute(callId, call)
        outcomes.set(callId, outcome)
        return await outcome
      } catch (error) {
        if (!signal.aborted) throw error
        return stopped
      }
    },
    async close() {
      await Promise.allSettled(outcomes.values())
      closed = true
    },
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
}
