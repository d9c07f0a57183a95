import type {
  LanguageModelV2,
  LanguageModelV2CallOptions,
  LanguageModelV2CallWarning,
  LanguageModelV2Content,
  LanguageModelV2FinishReason,
  LanguageModelV2StreamPart,
  LanguageModelV2ToolResultOutput,
  LanguageModelV2Usage,
  LanguageModelV3,
  LanguageModelV3CallOptions,
  LanguageModelV3Content,
  LanguageModelV3FinishReason,
  LanguageModelV3Message,
  LanguageModelV3StreamPart,
  LanguageModelV3ToolResultOutput,
  LanguageModelV3Usage,
  SharedV3Warning,
} from '@ai-sdk/provider'

import { mapStream } from './map-stream.ts'

/** Makes a language model of AI SDK 5 one of AI SDK 6. */
export function adaptV2(model: LanguageModelV2): LanguageModelV3 {
  return {
    specificationVersion: 'v3',
    provider: model.provider,
    modelId: model.modelId,
    get supportedUrls() {
      return model.supportedUrls
    },
    async doGenerate(options) {
      const { content, finishReason, usage, warnings, ...result } = await model.doGenerate(
        toV2CallOptions(options),
      )
      return {
        ...result,
        content: content.map((part) => part as LanguageModelV3Content),
        finishReason: toV3FinishReason(finishReason),
        usage: toV3Usage(usage),
        warnings: warnings.map(toV3Warning),
      }
    },
    async doStream(options) {
      const result = await model.doStream(toV2CallOptions(options))
      return { ...result, stream: mapStream(result.stream, toV3StreamPart) }
    },
  }
}

/** The types of both versions differ in whether JSON may contain `undefined`. The packages read the same values. */
function toV2CallOptions({
  prompt,
  tools,
  ...options
}: LanguageModelV3CallOptions): LanguageModelV2CallOptions {
  return {
    ...options,
    prompt: prompt.map(toV2Message),
    ...(tools && {
      tools: tools.map((tool) => (tool.type === 'provider' ? { ...tool, type: 'provider-defined' } : tool)),
    }),
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

type V2Output = Extract<LanguageModelV2ToolResultOutput, { type: 'content' }>['value'][number]
type V3Output = Extract<LanguageModelV3ToolResultOutput, { type: 'content' }>['value'][number]

function toV2ToolOutput(output: LanguageModelV3ToolResultOutput): LanguageModelV2ToolResultOutput {
  switch (output.type) {
    case 'text':
    case 'json':
    case 'error-text':
    case 'error-json':
      return output
    case 'execution-denied':
      return { type: 'error-text', value: output.reason ?? 'The tool call was not approved.' }
    case 'content':
      return { type: 'content', value: output.value.flatMap(toV2OutputContent) }
  }
}

/** Version 5 takes text, and files by their data alone: of any other file it is given the address or nothing. */
function toV2OutputContent(part: V3Output): V2Output[] {
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

function toV3StreamPart(part: LanguageModelV2StreamPart): LanguageModelV3StreamPart {
  switch (part.type) {
    case 'stream-start':
      return { ...part, warnings: part.warnings.map(toV3Warning) }
    case 'finish':
      return { ...part, finishReason: toV3FinishReason(part.finishReason), usage: toV3Usage(part.usage) }
    default:
      return part as Exclude<typeof part, LanguageModelV2Content> & LanguageModelV3StreamPart
  }
}

/**
 * The packages of version 5 report `unknown` if the provider gave no reason, for example because the answer
 * broke off.
 */
function toV3FinishReason(reason: LanguageModelV2FinishReason): LanguageModelV3FinishReason {
  return reason === 'unknown' ? { unified: 'other', raw: undefined } : { unified: reason, raw: reason }
}

function toV3Usage(usage: LanguageModelV2Usage): LanguageModelV3Usage {
  return {
    inputTokens: {
      total: usage.inputTokens,
      noCache: undefined,
      cacheRead: usage.cachedInputTokens,
      cacheWrite: undefined,
    },
    outputTokens: { total: usage.outputTokens, text: undefined, reasoning: usage.reasoningTokens },
    ...(usage.totalTokens !== undefined && { raw: { totalTokens: usage.totalTokens } }),
  }
}

function toV3Warning(warning: LanguageModelV2CallWarning): SharedV3Warning {
  switch (warning.type) {
    case 'other':
      return warning
    case 'unsupported-setting':
      return { type: 'unsupported', feature: String(warning.setting), ...detailsOf(warning) }
    case 'unsupported-tool':
      return { type: 'unsupported', feature: `the tool ${warning.tool.name}`, ...detailsOf(warning) }
  }
}

function detailsOf({ details }: { readonly details?: string }): { readonly details?: string } {
  return details === undefined ? {} : { details }
}
