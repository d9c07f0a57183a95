import type {
  LanguageModelV3,
  LanguageModelV3CallOptions,
  LanguageModelV3File,
  LanguageModelV3FilePart,
  LanguageModelV3Message,
  LanguageModelV3ToolResultOutput,
  LanguageModelV3ToolResultPart,
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4File,
  LanguageModelV4FilePart,
  LanguageModelV4Message,
  LanguageModelV4ToolResultOutput,
  LanguageModelV4ToolResultPart,
} from '@ai-sdk/provider'

import { ServiceError } from '../errors.ts'
import { mapStream } from './map-stream.ts'

/**
 * Makes a language model of AI SDK 6 one of AI SDK 7. They differ in how files are written and in a few parts that version 6 has no
 * place for. `reasoning` is one of these: its models take that setting from `providerOptions`.
 */
export function adaptV3(model: LanguageModelV3): LanguageModelV4 {
  return {
    specificationVersion: 'v4',
    provider: model.provider,
    modelId: model.modelId,
    get supportedUrls() {
      return model.supportedUrls
    },
    async doGenerate(options) {
      const result = await model.doGenerate(callOptions(options))
      return { ...result, content: result.content.map(outputPart) }
    },
    async doStream(options) {
      const result = await model.doStream(callOptions(options))
      return { ...result, stream: mapStream(result.stream, outputPart) }
    },
  }
}

function callOptions(request: LanguageModelV4CallOptions): LanguageModelV3CallOptions {
  const { reasoning: _, ...options } = request
  return { ...options, prompt: request.prompt.map(message) }
}

type Content<Role> = Extract<LanguageModelV3Message, { role: Role }>['content']

function message(said: LanguageModelV4Message): LanguageModelV3Message {
  switch (said.role) {
    case 'system':
      return said
    case 'user':
      return { ...said, content: said.content.map((part) => (part.type === 'file' ? filePart(part) : part)) }
    case 'tool':
      return {
        ...said,
        content: said.content.map((part) => (part.type === 'tool-result' ? toolResult(part) : part)),
      }
    case 'assistant':
      return {
        ...said,
        content: said.content.flatMap((part): Content<'assistant'> => {
          if (part.type === 'reasoning-file' || part.type === 'custom') return []
          if (part.type === 'file') return [filePart(part)]
          return [part.type === 'tool-result' ? toolResult(part) : part]
        }),
      }
  }
}

function filePart({ data, ...part }: LanguageModelV4FilePart): LanguageModelV3FilePart {
  switch (data.type) {
    case 'data':
      return { ...part, data: data.data }
    case 'url':
      return { ...part, data: data.url }
    case 'text':
      return { ...part, data: new TextEncoder().encode(data.text) }
    case 'reference':
      throw new ServiceError('model-refused', 'A model of AI SDK 5 or 6 takes no file by reference.')
  }
}

function toolResult(part: LanguageModelV4ToolResultPart): LanguageModelV3ToolResultPart {
  return { ...part, output: toolOutput(part.output) }
}

function toolOutput(output: LanguageModelV4ToolResultOutput): LanguageModelV3ToolResultOutput {
  if (output.type !== 'content') return output
  return {
    ...output,
    value: output.value.map((part) => (part.type === 'file' ? outputFile(part) : part)),
  }
}

type V3Content = Extract<LanguageModelV3ToolResultOutput, { type: 'content' }>['value'][number]
type V4Content = Extract<LanguageModelV4ToolResultOutput, { type: 'content' }>['value'][number]

function outputFile({ data, ...part }: Extract<V4Content, { type: 'file' }>): V3Content {
  switch (data.type) {
    case 'data':
      return { ...part, type: 'file-data', data: base64(data.data) }
    case 'url':
      return { ...part, type: 'file-url', url: data.url.href }
    case 'reference':
      return { ...part, type: 'file-id', fileId: data.reference }
    case 'text':
      return { ...part, type: 'text', text: data.text }
  }
}

function base64(data: string | Uint8Array): string {
  return typeof data === 'string' ? data : Buffer.from(data).toString('base64')
}

/** What a model says: only its files are written in another way. */
function outputPart<T extends { readonly type: string }>(
  part: T | LanguageModelV3File,
): Exclude<T, LanguageModelV3File> | LanguageModelV4File {
  return isFile(part)
    ? { ...part, data: { type: 'data', data: part.data } }
    : (part as Exclude<T, LanguageModelV3File>)
}

function isFile(part: { readonly type: string }): part is LanguageModelV3File {
  return part.type === 'file'
}
