import type { WorkflowUpdate, WorkflowRunner } from './workflow-runner.ts'
import { ServiceError } from 'dragoman/errors'
import { estimateTokens, isJsonObject, readUsage, type Message, type Usage } from 'dragoman/events'
import type { AgentEngine, EngineHost, EngineJob } from 'dragoman/agents'

/** The one text of a workflow's answer. */
const TEXT = 'text'

/**
 * Runs the workflow that the run's context names, in place of a model. It is one step. It starts once: after a crash
 * its outcome is unknown.
 */
export function workflowEngine(runner: WorkflowRunner): AgentEngine {
  return {
    name: 'workflow',
    textOnly: true,
    async run(job, host) {
      if (job.partialAnswer && job.partialAnswer.parts.length > 0) {
        const words =
          'The server was interrupted while the workflow ran: whether it has done its work is not known.'
        throw new ServiceError('outcome-unknown', words)
      }
      const { workflowId, inputs } = findWorkflow(job, runner)
      await host.emit({ type: 'step.started', model: `${runner.name}:${workflowId}` })
      const reporter = createReporter(host)
      const { signal } = host
      const words = wordsOf(job.history)
      const usage = await runner.run({ workflowId, inputs, words, userId: job.userId, signal }, reporter.tell)
      if (signal.aborted) return
      await reporter.end()
      await host.emit({
        type: 'step.finished',
        reason: 'stop',
        usage: usageOf(usage, [words, JSON.stringify(inputs), reporter.text()]),
      })
      // It cannot be spoken to: what was said meanwhile is heard, and changes nothing.
      await host.takeUserMessages()
    },
  }
}

/** A workflow that reports no tokens has used some: those of what it was given and of what it says, by estimate. */
function usageOf(usage: Usage | undefined, [words, inputs, text]: readonly [string, string, string]): Usage {
  const reported = usage && readUsage(usage)
  if (reported && reported.inputTokens + reported.outputTokens > 0) return reported
  const inputTokens = estimateTokens(words) + estimateTokens(inputs)
  return { inputTokens, outputTokens: estimateTokens(text), estimated: true }
}

function createReporter(host: EngineHost) {
  let isOpen = false
  let text = ''
  return {
    async tell(news: WorkflowUpdate): Promise<void> {
      if (news.type === 'node') {
        const { node, title, state } = news
        const value = { node, title, state }
        return host.emit({ type: 'data', name: 'workflow-node', id: node, value, transient: true })
      }
      if (!isOpen) await host.emit({ type: 'text.started', partId: TEXT })
      isOpen = true
      text += news.delta
      return host.emit({ type: 'text.delta', partId: TEXT, delta: news.delta })
    },
    text: () => text,
    end: async (): Promise<void> => (isOpen ? host.emit({ type: 'text.ended', partId: TEXT }) : undefined),
  }
}

/** The agent has resolved the context. A missing workflow was removed since. */
function findWorkflow({ context }: EngineJob, { name, workflows }: WorkflowRunner) {
  const { runner, workflowId, inputs = {} } = isJsonObject(context) ? context : {}
  if (runner === name && typeof workflowId === 'string' && workflows.some(({ id }) => id === workflowId))
    return { workflowId, inputs }
  throw new ServiceError('invalid-request', 'The workflow of this run does not exist anymore.')
}

/** What the user said last. */
function wordsOf(history: readonly Message[]): string {
  const message = history.findLast(({ role }) => role === 'user')
  const parts = message?.role === 'user' ? message.parts : []
  return parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n\n')
}
