import { inputSchemaOf, toModelSchema, type EngineJob, type EngineTool, type Tool } from '../agents/index.ts'
import { HOOK_TIMEOUT_MS, raceAbort, withTimeout } from '../async/index.ts'
import { plainError } from '../scrub/index.ts'
import type { Host } from './engine-host.ts'
import { stepsTaken } from './recovery.ts'
import type { RunContext } from './run-context.ts'
import type { Past } from './run-history.ts'

/** An engine that does not return is abandoned so many ms after its signal: tools have 150 of them. */
const ENGINE_GRACE_MS = 200

export type EngineOutcome =
  | { readonly kind: 'returned' }
  | { readonly kind: 'threw'; readonly error: unknown }

/**
 * Runs the engine until it returns or throws, or its grace after the signal is over. A job that cannot be made counts
 * as thrown.
 */
export async function runEngine(
  context: RunContext,
  host: Host,
  past: Past | undefined,
): Promise<EngineOutcome> {
  let isAbandoned = false
  const run = async (): Promise<void> => context.resolved.engine.run(await createJob(context, past), host)
  const work = run().then(
    (): EngineOutcome => ({ kind: 'returned' }),
    (error: unknown): EngineOutcome => {
      if (isAbandoned) context.ports.report(error, 'after its end')
      return { kind: 'threw', error: plainError(error) }
    },
  )
  const onAbandoned = (): EngineOutcome => {
    isAbandoned = true
    return { kind: 'returned' }
  }
  return raceAbort(work, host.signal, onAbandoned, ENGINE_GRACE_MS)
}

async function createJob(context: RunContext, past: Past | undefined): Promise<EngineJob> {
  const { run, conversation, control } = context
  const { agent, currentTools } = context.resolved
  const withClientTools = async (tools: readonly Tool[]): Promise<readonly EngineTool[]> => [
    ...(await Promise.all(tools.map(toEngineTool))),
    ...run.request.tools.map(({ name, description, inputSchema }) => ({
      name,
      description,
      inputSchema: toModelSchema(inputSchema),
    })),
  ]
  return {
    agent,
    userId: run.userId,
    context: run.request.context,
    tools: await withClientTools(agent.tools),
    ...(currentTools && {
      currentTools: async () => withClientTools(await currentTools(control.signal)),
    }),
    history: conversation,
    ...(past && { partialAnswer: past.message }),
    stepsLeft: agent.maxSteps - (past ? stepsTaken(past) : 0),
    ...reviewOf(context),
  }
}

async function toEngineTool(tool: Tool): Promise<EngineTool> {
  const { name, description, provider } = tool
  return { name, description, inputSchema: await inputSchemaOf(tool), ...(provider && { provider }) }
}

/** A guardrail that fails does not fail the run: the answer stays as it is. */
function reviewOf({ run, resolved, ports, control }: RunContext): Pick<EngineJob, 'outputGuardrail'> {
  const { outputGuardrail } = resolved
  if (!outputGuardrail) return {}
  const { userId, threadId, request } = run
  return {
    outputGuardrail: (message) =>
      withTimeout(control.signal, HOOK_TIMEOUT_MS, (signal) =>
        outputGuardrail({ userId, threadId, context: request.context, answer: message, signal }),
      ).catch((error: unknown) => {
        if (!control.signal.aborted) ports.report(error, run.id)
        return undefined
      }),
  }
}
