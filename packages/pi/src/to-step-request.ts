import type { AssistantMessage, Message, Tool, ToolResultMessage, UserMessage } from '@earendil-works/pi-ai'

import { isJsonObject, type Json } from 'dragoman/events'
import type { PromptMessage, StepRequest } from 'dragoman/engine'
import type { PiFile } from './pi-messages.ts'

type Content<Role> = Extract<PromptMessage, { role: Role }>['content']
type ProviderMetadata = NonNullable<PromptMessage['providerOptions']>
type ProviderOptions = { providerOptions?: ProviderMetadata }

/** What a transcript declares: pi-ai's `getCurrentSystemPrompt` and `getCurrentTools`. */
export type ContextReaders = {
  readonly instructions: (messages: Message[]) => string
  readonly tools: (messages: Message[]) => Tool[]
}

/** Converts the messages that pi would send, after its hooks have changed them, to a request of our own model port. */
export function toStepRequest(messages: Message[], contextReaders: ContextReaders): StepRequest {
  const tools = contextReaders.tools(messages).map(({ name, description, parameters }) => ({
    type: 'function' as const,
    name,
    description,
    inputSchema: parameters,
  }))
  const system = { role: 'system', content: contextReaders.instructions(messages) } as const
  const prompt = toPrompt(messages)
  return {
    prompt: messages.some(({ role }) => role === 'system') ? [system, ...prompt] : prompt,
    ...(tools.length > 0 && { tools }),
  }
}

/** Thoughts are sent only with their signature, and no message is empty: a provider would refuse either. */
function toPrompt(messages: readonly Message[]): PromptMessage[] {
  const prompt: PromptMessage[] = []
  for (const message of pairCallsAndResults(messages)) {
    const last = prompt.at(-1)
    if (message.role === 'user') prompt.push({ role: 'user', content: userContent(message) })
    if (message.role === 'assistant') prompt.push({ role: 'assistant', content: assistantContent(message) })
    if (message.role !== 'toolResult') continue
    if (last?.role === 'tool') last.content.push(toolResult(message))
    else prompt.push({ role: 'tool', content: [toolResult(message)] })
  }
  return prompt.filter(({ role, content }) =>
    role === 'assistant' ? content.some(({ type }) => type !== 'reasoning') : content.length > 0,
  )
}

/** Gives a call without a result one that says so, and leaves out results without their call. */
function pairCallsAndResults(messages: readonly Message[]): Message[] {
  const callIds = new Set(messages.flatMap((message) => callsOf(message).map(({ id }) => id)))
  const resultIds = new Set(messages.flatMap((each) => (each.role === 'toolResult' ? [each.toolCallId] : [])))
  return messages.flatMap((message): Message[] => {
    if (message.role === 'toolResult') return callIds.has(message.toolCallId) ? [message] : []
    return [
      message,
      ...callsOf(message).flatMap(({ id, name }) => (resultIds.has(id) ? [] : noResult(id, name))),
    ]
  })
}

function callsOf(message: Message) {
  return message.role === 'assistant' ? message.content.filter((part) => part.type === 'toolCall') : []
}

function noResult(toolCallId: string, toolName: string): ToolResultMessage {
  const content = [{ type: 'text' as const, text: 'No result provided' }]
  return { role: 'toolResult', toolCallId, toolName, content, isError: true, timestamp: 0 }
}

function userContent({ content }: UserMessage): Content<'user'> {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }]
  return content.map((part) => (part.type === 'text' ? { type: 'text', text: part.text } : toFile(part)))
}

function toFile({ data, mimeType: mediaType, filename }: PiFile) {
  const isAddress = data.includes(':')
  const file = {
    type: 'file' as const,
    data: isAddress ? { type: 'url' as const, url: new URL(data) } : { type: 'data' as const, data },
    mediaType,
  }
  return { ...file, ...(filename !== undefined && { filename }) }
}

function assistantContent({ content }: AssistantMessage): Content<'assistant'> {
  return content.flatMap((part): Content<'assistant'> => {
    switch (part.type) {
      case 'text':
        return part.text.trim() === ''
          ? []
          : [{ type: 'text', text: part.text, ...providerOptions(part.textSignature) }]
      case 'thinking': {
        const own = providerOptions(part.thinkingSignature)
        return own.providerOptions ? [{ type: 'reasoning', text: part.thinking, ...own }] : []
      }
      case 'toolCall': {
        const { id: toolCallId, name: toolName, arguments: input, thoughtSignature } = part
        return [{ type: 'tool-call', toolCallId, toolName, input, ...providerOptions(thoughtSignature) }]
      }
    }
  })
}

function toolResult({ toolCallId, toolName, content, isError }: ToolResultMessage): Content<'tool'>[number] {
  const result = { type: 'tool-result', toolCallId, toolName } as const
  if (isError || content.every(({ type }) => type === 'text'))
    return { ...result, output: { type: isError ? 'error-text' : 'text', value: textOf(content) } }
  const value = content.map((part) =>
    part.type === 'text' ? { type: 'text' as const, text: part.text } : toFile(part),
  )
  return { ...result, output: { type: 'content', value } }
}

/** The text of a result, in which images are named. */
export function textOf(content: ToolResultMessage['content']): string {
  return content.map((part) => (part.type === 'text' ? part.text : `[${part.mimeType}]`)).join('\n')
}

/** A signature that is not one of ours came with a message from elsewhere: no provider here knows it. */
function providerOptions(signature: string | undefined): ProviderOptions {
  if (signature === undefined) return {}
  try {
    const own = JSON.parse(signature) as Json
    return isJsonObject(own) ? { providerOptions: own as ProviderMetadata } : {}
  } catch {
    return {}
  }
}
