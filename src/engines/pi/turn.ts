import type { AgentTool } from '@earendil-works/pi-agent-core'
import type { Api, AssistantMessage, AssistantMessageEvent, Model } from '@earendil-works/pi-ai'

import type { EngineCall, EngineJob, ToolOutcome } from '../engine.ts'

/** pi asks its `streamFn`, which knows the model: the one that pi holds is never asked anything. */
export const noModel: Model<Api> = {
  id: 'none',
  name: 'none',
  api: 'none',
  provider: 'none',
  baseUrl: '',
  reasoning: false,
  input: [],
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
  contextWindow: 0,
  maxTokens: 0,
}

/** A whole turn of the model's, as far as it is pi's concern: which tools to wait for, or that this is the end. */
export function turnOf(calls: readonly EngineCall[], aborted: boolean): AssistantMessageEvent {
  if (aborted) return { type: 'error', reason: 'aborted', error: message([], 'aborted') }
  const reason = calls.length > 0 ? 'toolUse' : 'stop'
  return { type: 'done', reason, message: message(calls, reason) }
}

function message(calls: readonly EngineCall[], stopReason: AssistantMessage['stopReason']): AssistantMessage {
  const { id: model, api, provider } = noModel
  return {
    role: 'assistant',
    content: calls.map(({ callId, tool }) => ({ type: 'toolCall', id: callId, name: tool, arguments: {} })),
    api,
    provider,
    model,
    usage: {
      input: 0,
      output: 0,
      cacheRead: 0,
      cacheWrite: 0,
      totalTokens: 0,
      cost: { ...noModel.cost, total: 0 },
    },
    stopReason,
    timestamp: Date.now(),
  }
}

/** Takes any input, for pi is told none: the host judges it. Shared, as pi compiles each schema that it meets. */
const anything = {}

/**
 * The tools as pi has them. The host runs a call as soon as it is complete, which is before pi hears of it: pi waits. Of a tool that is
 * not here pi says so, to nobody; the host says it to the model.
 */
export function toolsOf(
  { tools }: EngineJob,
  outcomeOf: (callId: string) => Promise<ToolOutcome | undefined>,
): AgentTool[] {
  return tools.map(({ name, description }) => ({
    name,
    label: name,
    description,
    parameters: anything,
    async execute(callId) {
      const outcome = await outcomeOf(callId)
      return { content: [{ type: 'text', text: outcome?.text ?? '' }], details: undefined }
    },
  }))
}
