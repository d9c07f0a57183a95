import type {
  AgentContext,
  AgentMessage,
  AgentTool,
  FinishTurn,
  StreamFn,
} from '@earendil-works/pi-agent-core'
import type { AssistantMessage, AssistantMessageEvent, Message } from '@earendil-works/pi-ai'

import type { Models } from 'dragoman/models'
import type { EngineFactory, EngineHost, EngineJob } from 'dragoman/agents'
import { createSteps, toPrompt, type Step } from 'dragoman/engine'
import { hooksForResumedCalls, createPiCalls, type PiCalls } from './pi-calls.ts'
import { checkHooks, type PiHooks } from './pi-hooks.ts'
import { argumentsOf, assistantMessage, toPiMessages } from './pi-messages.ts'
import { piModel } from './pi-model.ts'
import { toStepRequest } from './to-step-request.ts'

/**
 * Drives a model with pi's agent loop. pi gets the conversation as its own messages, the tools with their schemas,
 * the arguments that the model wrote and the messages that the user sends meanwhile. Its hooks work as in a pi agent:
 *
 * - What `transformContext` returns is what the model is asked.
 * - A call that `beforeToolCall` blocks, or that pi refuses, fails as `denied` with pi's reason.
 * - What `afterToolCall` returns is recorded, so later prompts and all clients get it: `content` as the outcome's
 *   text, `details` as its output. Failures keep their code.
 * - A tool runs with the input that the log has. Changes of `args` by a hook have no effect.
 *
 * @throws ServiceError `invalid-request` for a field that is none of pi's hooks
 * @example
 * ```ts
 * const engine = piEngine({
 *   beforeToolCall: async ({ toolCall }) =>
 *     toolCall.name === 'delete_file' ? { block: true, reason: 'Files are kept.' } : undefined,
 * })
 * ```
 */
export function piEngine(options: PiHooks = {}): EngineFactory {
  const hooks = checkHooks(options)
  const resumedHooks = hooksForResumedCalls(hooks)
  return {
    name: 'pi',
    create: (models) => ({
      name: 'pi',
      ...(resumedHooks && { hooks: resumedHooks }),
      run: (job, host) => drive(models, job, host, hooks),
    }),
  }
}

async function drive(models: Models, job: EngineJob, host: EngineHost, hooks: PiHooks): Promise<void> {
  const calls = createPiCalls(hooks.afterToolCall && hooksForResumedCalls(hooks))
  const [pi, ai, steps] = await Promise.all([
    import('@earendil-works/pi-agent-core'),
    import('@earendil-works/pi-ai'),
    createSteps(models, job, host, calls.hooks),
  ])
  const first = await steps.next()
  if (!first) return

  const turn = createTurns(first, calls, ai.toToolDeclaration)
  const contextReaders = { instructions: ai.getCurrentSystemPrompt, tools: ai.getCurrentTools }
  const streamFn: StreamFn = async (_model, { messages }) => {
    await steps.stream(turn.step, toStepRequest(messages, contextReaders))
    const stream = ai.createAssistantMessageEventStream()
    stream.push(endOfTurn(turn.step, host))
    return stream
  }
  const finishTurn: FinishTurn = async () => {
    const isOver = turn.step.calls.all.length === 0
    const next = await steps.next()
    if (!next) return { action: 'end' }
    turn.begin(next)
    // After calls pi goes on by itself, unless its hooks terminate.
    return isOver ? { action: 'continue' } : undefined
  }
  const config = {
    model: piModel,
    convertToLlm: keepMessages,
    ...hooks,
    finishTurn,
    prepareRequest: () => ({ context: turn.context }),
    getSteeringMessages: async () => turn.takeSteering(),
  }
  await pi.runAgentLoop([], turn.context, config, calls.observe, host.signal, streamFn)
}

const ROLES: ReadonlySet<string> = new Set(['system', 'user', 'assistant', 'toolResult'])

/** As pi's Agent does without `convertToLlm`. */
function keepMessages(messages: AgentMessage[]): Message[] {
  return messages.filter((message): message is Message => ROLES.has(message.role))
}

type Declare = (tool: AgentTool) => Omit<AgentTool, 'label' | 'execute'>

/**
 * The current step. pi's context is rebuilt for each step from the log, so that pi, later attempts and other engines
 * share one conversation.
 */
function createTurns(first: Step, calls: PiCalls, declare: Declare) {
  const toAgentTool = ({ name, description, inputSchema }: Step['tools'][number]): AgentTool => {
    const parameters = inputSchema as AgentTool['parameters']
    const execute = (callId: string) => calls.execute(callId, step)
    return { name, label: name, description, parameters, execute }
  }
  const contextOf = ({ instructions, prompt, tools: ofStep }: Step): AgentContext => {
    const tools = ofStep.map(toAgentTool)
    const toolsAdded = tools.map(declare)
    const system: Message = { role: 'system', content: instructions, toolsAdded, timestamp: 0 }
    return { messages: [system, ...toPiMessages(prompt)], tools }
  }
  let step = first
  let steering = first.userMessages
  let context = contextOf(first)
  return {
    get step() {
      return step
    },
    get context() {
      return context
    },
    begin(next: Step): void {
      step = next
      steering = next.userMessages
      context = contextOf(next)
    },
    /** Each message once. */
    takeSteering(): Message[] {
      const messages = toPiMessages(toPrompt(steering, piModel.provider))
      steering = []
      return messages
    },
  }
}

/** pi gets a turn as one event when it is over. The host has already received its text. */
function endOfTurn(step: Step, { signal }: EngineHost): AssistantMessageEvent {
  if (signal.aborted) return { type: 'error', reason: 'aborted', error: assistantMessage([], 'aborted') }
  const reason = step.calls.all.length > 0 ? 'toolUse' : 'stop'
  return { type: 'done', reason, message: assistantMessage(contentOf(step), reason) }
}

function contentOf({ parts }: Step): AssistantMessage['content'] {
  return parts.flatMap((part): AssistantMessage['content'] => {
    switch (part.type) {
      case 'text':
        return [{ type: 'text', text: part.text }]
      case 'reasoning':
        return [{ type: 'thinking', thinking: part.text }]
      case 'tool': {
        const { callId: id, tool: name, input, by } = part
        return input === undefined || by
          ? []
          : [{ type: 'toolCall', id, name, arguments: argumentsOf(input) }]
      }
      case 'source':
      case 'file':
      case 'custom':
      case 'data':
      case 'step':
      case 'user':
        return []
    }
  })
}
