import type { Machine, Task } from './agent/index.ts'
import { ServiceError } from './errors.ts'
import { textOf, type RunEvent } from './events/index.ts'
import type { RunLog } from './log/index.ts'
import type { Runs, Staff } from './runs/index.ts'

type Ports = { readonly runs: Runs; readonly log: RunLog; readonly staff: ReadonlyMap<string, Staff> }

/** Has an agent do a task in a run that stands alone: it waits for nobody, and ends with its asker. */
export function delegating({ runs, log, staff }: Ports): Machine['delegate'] {
  return async ({ agent, words, userId, context, signal, tell }) => {
    const alone = staff.get(agent)
    if (!alone) throw new ServiceError('invalid-input', `There is no agent ${agent}.`)
    signal.throwIfAborted()
    const { run } = await runs.start({
      userId,
      agent,
      alone,
      context,
      turns: [],
      message: { parts: [{ type: 'text', text: words }] },
      reply: { protocol: 'native', view: {} },
    })
    for await (const entries of log.follow(run.id, 0, signal)) {
      for (const { event } of entries) {
        const line = lineOf(event)
        if (line !== undefined) tell(line)
      }
    }
    if (signal.aborted) {
      runs.abandon(run, userId)
      signal.throwIfAborted()
    }
    const message = await runs.soFar(run)
    if (message.failure) throw new ServiceError('tool-failed', `${agent} failed: ${message.failure.message}`)
    return textOf(message)
  }
}

/** What of a run's log whoever waits for its end is told on the way. */
function lineOf(event: RunEvent): Parameters<Task['tell']>[0] | undefined {
  if (event.type === 'step.started') return `step: ${event.model}`
  if (event.type === 'tool.called') return `${event.tool} ${JSON.stringify(event.input).slice(0, 200)}`
  if (event.type === 'tool.failed') return `failed: ${event.failure.message}`
  return undefined
}
