import type { AssistantMessage, ImageContent, Message, ToolResultMessage } from '@earendil-works/pi-ai'

import { isJsonObject, type Json } from 'dragoman/events'
import type { PromptMessage } from 'dragoman/engine'
import { piModel } from './pi-model.ts'

type UserContent = Extract<PromptMessage, { role: 'user' }>['content'][number]
type AssistantContent = Extract<PromptMessage, { role: 'assistant' }>['content'][number]
type ToolContent = Extract<PromptMessage, { role: 'tool' }>['content'][number]
/** pi has one content type for files. The name is ours, and survives a copy of the content. */
export type PiFile = ImageContent & { readonly filename?: string }

/**
 * Converts a prompt to pi's messages, one tool result each. What is the provider's own (signatures, item ids)
 * is kept in pi's signatures, as JSON. `toRequest` reverses it.
 */
export function toPiMessages(prompt: readonly PromptMessage[]): Message[] {
  return prompt.flatMap((message): Message[] => {
    switch (message.role) {
      case 'user':
        return [{ role: 'user', content: message.content.map(userContent), timestamp: 0 }]
      case 'assistant':
        return [assistantMessage(message.content.flatMap(assistantContent))]
      case 'tool':
        return message.content.flatMap(toolResult)
    }
  })
}

/** A message of the assistant's, as pi stores it. */
export function assistantMessage(
  content: AssistantMessage['content'],
  stopReason: AssistantMessage['stopReason'] = 'stop',
): AssistantMessage {
  const { id: model, api, provider } = piModel
  const cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 }
  const usage = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: 0, cost }
  return { role: 'assistant', content, api, provider, model, usage, stopReason, timestamp: 0 }
}

function userContent(part: UserContent): { type: 'text'; text: string } | PiFile {
  if (part.type === 'text') return { type: 'text', text: part.text }
  const { data, mediaType: mimeType, filename } = part
  // An address stands in the place of the content: `toRequest` tells the two apart.
  const content = data.type === 'url' ? data.url.href : data.type === 'data' ? String(data.data) : ''
  return { type: 'image', data: content, mimeType, ...(filename !== undefined && { filename }) }
}

function assistantContent(part: AssistantContent): AssistantMessage['content'] {
  switch (part.type) {
    case 'text':
      return [{ type: 'text', text: part.text, ...signature('textSignature', part.providerOptions) }]
    case 'reasoning':
      return [
        { type: 'thinking', thinking: part.text, ...signature('thinkingSignature', part.providerOptions) },
      ]
    case 'tool-call': {
      // pi would wait for the outcome of a call that the provider has run.
      if (part.providerExecuted) return []
      const call = { id: part.toolCallId, name: part.toolName, arguments: argumentsOf(part.input as Json) }
      return [{ type: 'toolCall', ...call, ...signature('thoughtSignature', part.providerOptions) }]
    }
    default:
      // The engines write no other content.
      return []
  }
}

/** pi takes objects only. */
export function argumentsOf(input: Json): { [key: string]: Json } {
  return isJsonObject(input) ? { ...input } : {}
}

/** The provider's own data of a part, where pi has a place for it. */
function signature<K extends string>(key: K, options: unknown): { [P in K]?: string } {
  return (options === undefined ? {} : { [key]: JSON.stringify(options) }) as { [P in K]?: string }
}

function toolResult(part: ToolContent): ToolResultMessage[] {
  if (part.type !== 'tool-result') return []
  const { toolCallId, toolName, output } = part
  const isError = output.type === 'error-text'
  const content = outputContent(output)
  return [{ role: 'toolResult', toolCallId, toolName, content, isError, timestamp: 0 }]
}

function outputContent(output: Extract<ToolContent, { type: 'tool-result' }>['output']) {
  if (output.type === 'content')
    return output.value.flatMap((each) => (each.type === 'custom' ? [] : [userContent(each)]))
  const text = output.type === 'text' || output.type === 'error-text' ? output.value : ''
  return [{ type: 'text' as const, text }]
}
