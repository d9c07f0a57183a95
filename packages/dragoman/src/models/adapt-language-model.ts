import type {
  LanguageModelV2,
  LanguageModelV2CallOptions,
  LanguageModelV2CallWarning,
  LanguageModelV2FinishReason,
  LanguageModelV2Usage,
  LanguageModelV3,
  LanguageModelV3CallOptions,
  LanguageModelV3FilePart,
  LanguageModelV3Message,
  LanguageModelV3ToolResultOutput,
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4FilePart,
  LanguageModelV4FinishReason,
  LanguageModelV4GenerateResult,
  LanguageModelV4Message,
  LanguageModelV4StreamPart,
  LanguageModelV4ToolResultOutput,
  LanguageModelV4Usage,
  SharedV4Warning,
} from '@ai-sdk/provider'

import { ServiceError } from '../errors.ts'
import { mapStream } from './map-stream.ts'

/** A language model object of AI SDK 5 (`v2`), 6 (`v3`) or 7 (`v4`). */
export type LanguageModel = LanguageModelV2 | LanguageModelV3 | LanguageModelV4

/**
 * Returns the model as one of AI SDK 7, the version that the engines call. The versions differ in how files are
 * written and in parts that the older ones have no place for. `reasoning` is one of these: the older models take that
 * setting from `providerOptions`.
 */
export function adaptLanguageModel(model: LanguageModel): LanguageModelV4 {
  switch (model.specificationVersion) {
    case 'v4':
      return model
    case 'v3':
      return adapt(model, { toCallOptions: toV3CallOptions, toFields: (fields) => fields })
    case 'v2':
      return adapt(model, {
        toCallOptions: (options) => toV2CallOptions(toV3CallOptions(options)),
        toFields: fromV2Fields,
      })
  }
}

/** Fields that a result, the first part and the last part of a stream have in every version. */
type Fields = {
  readonly warnings?: readonly LanguageModelV2CallWarning[]
  readonly finishReason?: LanguageModelV2FinishReason
  readonly usage?: LanguageModelV2Usage
}

type Conversion = {
  readonly toCallOptions: (options: LanguageModelV4CallOptions) => object
  readonly toFields: (fields: Fields) => object
}

/** The types of the versions differ more than the values that the packages read and give. */
function adapt(
  model: LanguageModelV2 | LanguageModelV3,
  { toCallOptions, toFields }: Conversion,
): LanguageModelV4 {
  const toPart = (part: { readonly type: string }): object =>
    part.type === 'stream-start' || part.type === 'finish' ? toFields(part as Fields) : toV4Content(part)
  return {
    specificationVersion: 'v4',
    provider: model.provider,
    modelId: model.modelId,
    get supportedUrls() {
      return model.supportedUrls
    },
    async doGenerate(options) {
      const result = await model.doGenerate(toCallOptions(options) as never)
      const content = result.content.map((part) => toV4Content(part) as LanguageModelV4Content)
      return { ...toFields(result as Fields), content } as LanguageModelV4GenerateResult
    },
    async doStream(options) {
      const { stream, ...result } = await model.doStream(toCallOptions(options) as never)
      return {
        ...result,
        stream: mapStream<{ readonly type: string }, LanguageModelV4StreamPart>(
          stream,
          (part) => toPart(part) as LanguageModelV4StreamPart,
        ),
      }
    },
  }
}

/** Of the content, only files have another form. */
function toV4Content(part: { readonly type: string; readonly data?: unknown }): object {
  return part.type === 'file' ? { ...part, data: { type: 'data', data: part.data } } : part
}

function toV3CallOptions(request: LanguageModelV4CallOptions): LanguageModelV3CallOptions {
  const { reasoning: _, ...options } = request
  return { ...options, prompt: request.prompt.map(toV3Message) }
}

function toV3Message(input: LanguageModelV4Message): LanguageModelV3Message {
  if (input.role === 'system') return input
  const content = (input.content as readonly Part[]).flatMap((part) => {
    if (part.type === 'reasoning-file' || part.type === 'custom') return []
    if (part.type === 'file') return toV3FilePart(part)
    return part.type === 'tool-result' ? toV3ToolResult(part) : part
  })
  return { ...input, content } as LanguageModelV3Message
}

function toV3ToolResult(part: Extract<Part, { type: 'tool-result' }>): object {
  return { ...part, output: toV3ToolOutput(part.output) }
}

type Part = Exclude<LanguageModelV4Message, { role: 'system' }>['content'][number]

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

function toV2CallOptions({
  prompt,
  tools,
  ...options
}: LanguageModelV3CallOptions): LanguageModelV2CallOptions {
  const toV2Tool = (tool: NonNullable<typeof tools>[number]): object =>
    tool.type === 'provider' ? { ...tool, type: 'provider-defined' } : tool
  return {
    ...options,
    prompt: prompt.map(toV2Message),
    ...(tools && { tools: tools.map(toV2Tool) }),
  } as LanguageModelV2CallOptions
}

function toV2Message(input: LanguageModelV3Message): object {
  if (input.role === 'system' || input.role === 'user') return input
  return {
    ...input,
    content: input.content.flatMap((part) => {
      if (part.type === 'tool-approval-response') return []
      return part.type === 'tool-result' ? { ...part, output: toV2ToolOutput(part.output) } : part
    }),
  }
}

function toV2ToolOutput(output: LanguageModelV3ToolResultOutput): object {
  if (output.type === 'execution-denied')
    return { type: 'error-text', value: output.reason ?? 'The tool call was not approved.' }
  return output.type === 'content'
    ? { type: 'content', value: output.value.flatMap(toV2OutputContent) }
    : output
}

/** AI SDK 5 takes text, and files by their data. Of another file it gets the URL or nothing. */
function toV2OutputContent(part: V3Content): object[] {
  switch (part.type) {
    case 'text':
      return [{ type: 'text', text: part.text }]
    case 'file-data':
    case 'image-data':
      return [{ type: 'media', data: part.data, mediaType: part.mediaType }]
    case 'file-url':
    case 'image-url':
      return [{ type: 'text', text: part.url }]
    case 'file-id':
    case 'image-file-id':
    case 'custom':
      return []
  }
}

function fromV2Fields({ warnings, finishReason, usage, ...rest }: Fields): object {
  return {
    ...rest,
    ...(warnings && { warnings: warnings.map(fromV2Warning) }),
    ...(finishReason && { finishReason: fromV2FinishReason(finishReason) }),
    ...(usage && { usage: fromV2Usage(usage) }),
  }
}

/** AI SDK 5 reports `unknown` if the provider gave no reason, for example because the answer broke off. */
function fromV2FinishReason(reason: LanguageModelV2FinishReason): LanguageModelV4FinishReason {
  return reason === 'unknown' ? { unified: 'other', raw: undefined } : { unified: reason, raw: reason }
}

function fromV2Usage(usage: LanguageModelV2Usage): LanguageModelV4Usage {
  const { inputTokens: total, cachedInputTokens: cacheRead, totalTokens } = usage
  return {
    inputTokens: { total, noCache: undefined, cacheRead, cacheWrite: undefined },
    outputTokens: { total: usage.outputTokens, text: undefined, reasoning: usage.reasoningTokens },
    ...(totalTokens !== undefined && { raw: { totalTokens } }),
  }
}

function fromV2Warning(warning: LanguageModelV2CallWarning): SharedV4Warning {
  if (warning.type === 'other') return warning
  const { details } = warning
  const feature =
    warning.type === 'unsupported-tool' ? `the tool ${warning.tool.name}` : String(warning.setting)
  return { type: 'unsupported', feature, ...(details !== undefined && { details }) }
}
