import type { EngineHost, EngineJob } from '../agents/index.ts'
import { noUsage, type Run } from '../events/index.ts'
import type { ResolvedAgent } from './ports.ts'

/** What stands in a log in place of a model's name. */
const GUARDRAIL = 'guardrail'

/** For a run that the server answers itself: no tools, no model, and an engine that says the answer. */
export function createCannedAnswerAgent(
  resolved: ResolvedAgent,
  { request: { answer } }: Run,
): ResolvedAgent | undefined {
  if (answer === undefined) return undefined
  const { outputGuardrail: _, ...others } = resolved
  const run = (job: EngineJob, host: EngineHost): Promise<void> => say(answer, job, host)
  return { ...others, agent: { ...resolved.agent, tools: [] }, engine: { name: GUARDRAIL, run } }
}

/** After a crash, only what is left is said. */
async function say(answer: string, { partialAnswer: soFar }: EngineJob, host: EngineHost): Promise<void> {
  const text = (soFar?.parts ?? []).map((part) => (part.type === 'text' ? part.text : '')).join('')
  // A message that has joined meanwhile is not answered: the next one starts a run of its own.
  await host.takeUserMessages()
  const delta = answer.startsWith(text) ? answer.slice(text.length) : answer
  if (delta === '') return
  await host.emit({ type: 'step.started', model: GUARDRAIL })
  await host.emit({ type: 'text.started', partId: GUARDRAIL })
  await host.emit({ type: 'text.delta', partId: GUARDRAIL, delta })
  await host.emit({ type: 'text.ended', partId: GUARDRAIL })
  await host.emit({ type: 'step.finished', reason: 'stop', usage: noUsage })
}
