import type { AgentEngine } from '../agents/index.ts'
import type { Json } from '../events/index.ts'
import { step } from './harness.fixture.ts'

/** Calls these tools in its first step, then says what it knows. */
export function calling(...tools: readonly string[]): AgentEngine['run'] {
  return async (job, host) => {
    const outcomes = job.partialAnswer?.parts.flatMap((part) =>
      part.type === 'tool' ? [`${part.state}: ${part.text ?? part.failure?.message ?? ''}`] : [],
    )
    await host.emit(step.started)
    if (outcomes) {
      await host.emit({ type: 'text.started', partId: 't' })
      await host.emit({ type: 'text.delta', partId: 't', delta: outcomes.join(' | ') })
      await host.emit(step.finished)
      return
    }
    const calls = tools.map(async (tool, n) => {
      const callId = `c${n}`
      await host.emit({ type: 'tool.called', callId, tool, input: { n } })
      return host.call({ callId, tool, input: { value: { n } } })
    })
    await Promise.resolve()
    const closed = host.emit(step.finished)
    await Promise.race([Promise.all(calls), aborted(host.signal)])
    await closed
  }
}

/** Calls one tool with this input, and ends. */
export function callingWith(tool: string, input: Json): AgentEngine['run'] {
  return async (_job, host) => {
    await host.emit(step.started)
    await host.emit({ type: 'tool.called', callId: 'c', tool, input })
    await host.call({ callId: 'c', tool, input: { value: input } })
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
