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
        callOptions(options),
      )
      return {
        ...result,
        content: content.map((part) => part as LanguageModelV3Content),
        finishReason: finish(finishReason),
        usage: tokens(usage),
        warnings: warnings.map(warning),
      }
    },
    async doStream(options) {
      const result = await model.doStream(callOptions(options))
      return { ...result, stream: mapStream(result.stream, streamPart) }
    },
  }
}

/** The types of both versions differ in whether JSON may hold `undefined`; what the packages read does not. */
function callOptions({ prompt, tools, ...options }: LanguageModelV3CallOptions): LanguageModelV2CallOptions {
  return {
    ...options,
    prompt: prompt.map(message),
    ...(tools && {
      tools: tools.map((tool) => (tool.type === 'provider' ? { ...tool, type: 'provider-defined' } : tool)),
    }),
  } as LanguageModelV2CallOptions
}

function message(said: LanguageModelV3Message): object {
  if (said.role === 'system' || said.role === 'user') return said
  return {
    ...said,
    content: said.content.flatMap((part) => {
      if (part.type === 'tool-approval-response') return []
      return part.type === 'tool-result' ? { ...part, output: toolOutput(part.output) } : part
    }),
  }
}

type V2Output = Extract<LanguageModelV2ToolResultOutput, { type: 'content' }>['value'][number]
type V3Output = Extract<LanguageModelV3ToolResultOutput, { type: 'content' }>['value'][number]

function toolOutput(output: LanguageModelV3ToolResultOutput): LanguageModelV2ToolResultOutput {
  switch (output.type) {
    case 'text':
    case 'json':
    case 'error-text':
    case 'error-json':
      return output
    case 'execution-denied':
      return { type: 'error-text', value: output.reason ?? 'The tool call was not approved.' }
    case 'content':
      return { type: 'content', value: output.value.flatMap(outputContent) }
  }
}

/** Version 5 takes text, and files by their data alone: of any other file it is given the address or nothing. */
function outputContent(part: V3Output): V2Output[] {
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

function streamPart(part: LanguageModelV2StreamPart): LanguageModelV3StreamPart {
  switch (part.type) {
    case 'stream-start':
      return { ...part, warnings: part.warnings.map(warning) }
    case 'finish':
      return { ...part, finishReason: finish(part.finishReason), usage: tokens(part.usage) }
    default:
      return part as Exclude<typeof part, LanguageModelV2Content> & LanguageModelV3StreamPart
  }
}

/** `unknown` is what the packages of version 5 say where the provider has given no reason, as when it broke off. */
function finish(reason: LanguageModelV2FinishReason): LanguageModelV3FinishReason {
  return reason === 'unknown' ? { unified: 'other', raw: undefined } : { unified: reason, raw: reason }
}

function tokens(usage: LanguageModelV2Usage): LanguageModelV3Usage {
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

function warning(warned: LanguageModelV2CallWarning): SharedV3Warning {
  switch (warned.type) {
    case 'other':
      return warned
    case 'unsupported-setting':
      return { type: 'unsupported', feature: String(warned.setting), ...detailsOf(warned) }
    case 'unsupported-tool':
      return { type: 'unsupported', feature: `the tool ${warned.tool.name}`, ...detailsOf(warned) }
  }
}

function detailsOf({ details }: { readonly details?: string }): { readonly details?: string } {
  return details === undefined ? {} : { details }
}
