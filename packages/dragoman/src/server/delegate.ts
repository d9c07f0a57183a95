import type { AgentServices, Task } from '../agents/index.ts'
import { ServiceError } from '../errors.ts'
import { textOf, type AssistantMessage, type RunEvent } from '../events/index.ts'
import type { RunLog } from '../log/index.ts'
import { native } from '../protocols/index.ts'
import type { ResolvedAgent, Runs } from '../runs/index.ts'

type Ports = { readonly runs: Runs; readonly log: RunLog; readonly staff: ReadonlyMap<string, ResolvedAgent> }

/**
 * Runs a task on another agent in a detached run: it asks no questions and ends with its caller. Its usage is counted
 * as its own.
 */
export function createDelegate({ runs, log, staff }: Ports): AgentServices['delegate'] {
  return async ({ agent, prompt: words, userId, context, signal, onProgress: tell }) => {
    const resolved = staff.get(agent)
    if (!resolved) throw new ServiceError('invalid-input', `There is no agent ${agent}.`)
    signal.throwIfAborted()
    const { run } = await runs.startDetached(resolved, {
      userId,
      agent,
      context,
      turns: [],
      message: { parts: [{ type: 'text', text: words }] },
      reply: { protocol: native.name, view: {} },
      isPart: true,
    })
    let isComplete = false
    try {
      const report = progressReporter(tell)
      for await (const entries of log.follow(run.id, 0, signal)) {
        for (const { event } of entries) report(event)
      }
      signal.throwIfAborted()
      isComplete = true
    } finally {
      // This run has no other reader, so a caller that leaves or fails ends it.
      if (!isComplete) runs.abandon(run, userId)
    }
    return toAnswer(agent, await runs.soFar(run))
  }
}

function toAnswer(agent: string, message: AssistantMessage): string {
  const { failure, status, finishReason } = message
  if (failure) throw new ServiceError('tool-failed', `${agent} failed: ${failure.message}`)
  if (status === 'cancelled') throw new ServiceError('tool-failed', `${agent} was stopped.`)
  const text = textOf(message)
  return finishReason === 'step-limit'
    ? `${text}\n\n(${agent} came to its last step: this may not be all.)`.trim()
    : text
}

/** Reports a line for each step, call and outcome of the run to its caller. */
function progressReporter(tell: Task['onProgress']): (event: RunEvent) => void {
  const tools = new Map<string, string>()
  let steps = 0
  return (event) => {
    if (event.type === 'step.started') tell(`step ${++steps}: ${event.model}`)
    if (event.type === 'tool.called') {
      tools.set(event.callId, event.tool)
      tell(`${event.tool} ${firstLine(JSON.stringify(event.input))}`)
    }
    if (event.type === 'tool.returned') tell(`${tools.get(event.callId) ?? 'tool'}: ${firstLine(event.text)}`)
    if (event.type === 'tool.failed')
      tell(`${tools.get(event.callId) ?? 'tool'} failed: ${firstLine(event.failure.message)}`)
  }
}

/** The first line, truncated to 200 characters. */
function firstLine(text: string): string {
  const [line = ''] = text.trim().split('\n', 1)
  return line.length > 200 ? `${line.slice(0, 200).toWellFormed()} …` : line
}
