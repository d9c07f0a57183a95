import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'

import { ServiceError } from '../errors.ts'
import { stepByStep } from '../async/index.ts'
import { readDataUrlInSteps, type Json } from '../events/index.ts'
import { parseCallInput } from './parse-call-input.ts'
import type { Step } from './step.ts'

type Part = LanguageModelV4StreamPart

/**
 * Passes the parts of a model's stream on to their step. The results of tools are those that the provider has run
 * itself.
 */
export function createStreamPartHandler(step: Step): (part: Part) => void | Promise<void> {
  return (part) => {
    // A model may ignore that it must not call tools.
    if (step.textOnlyReason && part.type.startsWith('tool-')) return undefined
    switch (part.type) {
      case 'text-start':
        return step.start('text', part.id, part.providerMetadata)
      case 'text-delta':
        return step.delta('text', part.id, part.delta, part.providerMetadata)
      case 'text-end':
        return step.end('text', part.id, part.providerMetadata)
      case 'reasoning-start':
        return step.start('reasoning', part.id, part.providerMetadata)
      case 'reasoning-delta':
        return step.delta('reasoning', part.id, part.delta, part.providerMetadata)
      case 'reasoning-end':
        return step.end('reasoning', part.id, part.providerMetadata)
      case 'tool-input-start':
        return step.startCall(part.id, part.toolName, part.providerExecuted ? 'provider' : undefined)
      case 'tool-input-delta':
        return step.callDelta(part.id, part.delta)
      case 'tool-call':
        return handleCall(step, part)
      case 'tool-result':
        return handleResult(step, part)
      case 'source':
        return handleSource(step, part)
      case 'file':
      case 'reasoning-file':
        return handleFile(step, part)
      case 'custom':
        return step.custom(part.kind, part.providerMetadata)
      case 'finish':
        return handleFinish(step, part)
      case 'error':
        return step.fail(part.error)
      case 'tool-approval-request':
        return step.fail(approvalError())
      case 'stream-start':
      case 'response-metadata':
      case 'tool-input-end':
      case 'ping':
      case 'raw':
        return undefined
    }
  }
}

/** The reason of a provider that interrupts a long turn of its own tools. The packages take it for an end. */
const PAUSED = 'pause_turn'

function approvalError(): ServiceError {
  const message =
    'The model’s provider asks for an approval before it runs a tool, and such a question cannot be passed on. ' +
    "Let it run the tool without asking (requireApproval: 'never'), or give the MCP server to the agent (mcp)."
  const chinese =
    '模型服务想先得到批准再运行工具，这个问题没法转达。请让它不经批准就运行，或把 MCP 服务器交给智能体。'
  return new ServiceError('model-refused', message, { translations: { zh: chinese } })
}

type Of<T extends Part['type']> = Extract<Part, { type: T }>

function handleCall(step: Step, part: Of<'tool-call'>): void | Promise<void> {
  const { toolCallId, toolName, providerMetadata } = part
  const input = parseCallInput(part.input)
  return part.providerExecuted
    ? step.providerCall(toolCallId, toolName, input, providerMetadata)
    : step.call(toolCallId, toolName, input, providerMetadata)
}

function handleFinish(step: Step, { finishReason, usage }: Of<'finish'>): void {
  const reported = {
    input: usage.inputTokens.total,
    output: usage.outputTokens.total,
    reasoning: usage.outputTokens.reasoning,
    cached: usage.inputTokens.cacheRead,
  }
  step.finish(finishReason.unified, reported, finishReason.raw === PAUSED)
}

/** A preliminary result is replaced by the next one. */
function handleResult(step: Step, part: Of<'tool-result'>): void | Promise<void> {
  if (part.preliminary) return undefined
  const { toolCallId, result, isError = false, providerMetadata } = part
  return step.providerOutcome(toolCallId, { result: result as Json, isError, metadata: providerMetadata })
}

async function handleFile(step: Step, part: Of<'file' | 'reasoning-file'>): Promise<void> {
  const { mediaType, data, providerMetadata: metadata } = part
  const kind = part.type === 'file' ? 'output' : 'reasoning'
  return step.file({ kind, mediaType, content: await contentOf(data), metadata })
}

async function contentOf(data: Of<'file'>['data']): Promise<Uint8Array | URL> {
  if (data.type === 'url') return new URL(data.url)
  const { data: content } = data
  if (typeof content !== 'string') return content
  const inline = await stepByStep(readDataUrlInSteps(content))
  return Buffer.from(inline?.data ?? content, 'base64')
}

function handleSource(step: Step, part: Of<'source'>): void | Promise<void> {
  const { id: sourceId, title, providerMetadata } = part
  const about = { sourceId, ...(title !== undefined && { title }) }
  if (part.sourceType === 'url') return step.source({ ...about, url: part.url }, providerMetadata)
  const { mediaType, filename } = part
  return step.source({ ...about, mediaType, ...(filename !== undefined && { filename }) }, providerMetadata)
}
