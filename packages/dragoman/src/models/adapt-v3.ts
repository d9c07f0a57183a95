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
 * Makes a language model of AI SDK 6 one of AI SDK 7. They differ in how files are written and in a few parts
 * that version 6 has no place for. `reasoning` is one of these: its models take that setting from
 * `providerOptions`.
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
      const result = await model.doGenerate(toV3CallOptions(options))
      return { ...result, content: result.content.map(toV4Part) }
    },
    async doStream(options) {
      const result = await model.doStream(toV3CallOptions(options))
      return { ...result, stream: mapStream(result.stream, toV4Part) }
    },
  }
}

function toV3CallOptions(request: LanguageModelV4CallOptions): LanguageModelV3CallOptions {
  const { reasoning: _, ...options } = request
  return { ...options, prompt: request.prompt.map(toV3Message) }
}

type Content<Role> = Extract<LanguageModelV3Message, { role: Role }>['content']

function toV3Message(input: LanguageModelV4Message): LanguageModelV3Message {
  switch (input.role) {
    case 'system':
      return input
    case 'user':
      return {
        ...input,
        content: input.content.map((part) => (part.type === 'file' ? toV3FilePart(part) : part)),
      }
    case 'tool':
      return {
        ...input,
        content: input.content.map((part) => (part.type === 'tool-result' ? toV3ToolResult(part) : part)),
      }
    case 'assistant':
      return {
        ...input,
        content: input.content.flatMap((part): Content<'assistant'> => {
          if (part.type === 'reasoning-file' || part.type === 'custom') return []
          if (part.type === 'file') return [toV3FilePart(part)]
          return [part.type === 'tool-result' ? toV3ToolResult(part) : part]
        }),
      }
  }
}

function toV3FilePart({ data, ...part }: LanguageModelV4FilePart): LanguageModelV3FilePart {
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

function toV3ToolResult(part: LanguageModelV4ToolResultPart): LanguageModelV3ToolResultPart {
  return { ...part, output: toV3ToolOutput(part.output) }
}

function toV3ToolOutput(output: LanguageModelV4ToolResultOutput): LanguageModelV3ToolResultOutput {
  if (output.type !== 'content') return output
  return {
    ...output,
    value: output.value.map((part) => (part.type === 'file' ? toV3OutputFile(part) : part)),
  }
}

type V3Content = Extract<LanguageModelV3ToolResultOutput, { type: 'content' }>['value'][number]
type V4Content = Extract<LanguageModelV4ToolResultOutput, { type: 'content' }>['value'][number]

function toV3OutputFile({ data, ...part }: Extract<V4Content, { type: 'file' }>): V3Content {
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

/** Converts the output of a model. Only files have another form. */
function toV4Part<T extends { readonly type: string }>(
  part: T | LanguageModelV3File,
): Exclude<T, LanguageModelV3File> | LanguageModelV4File {
  return isFile(part)
    ? { ...part, data: { type: 'data', data: part.data } }
    : (part as Exclude<T, LanguageModelV3File>)
}

function isFile(part: { readonly type: string }): part is LanguageModelV3File {
  return part.type === 'file'
}
