import type { LanguageModelV4CallOptions, LanguageModelV4Prompt } from '@ai-sdk/provider'
import { nanoid } from 'nanoid'

import { mapPromptFiles, nameFile, type PromptFile } from '../events/index.ts'
import type { ModelEndpoint } from './call-model.ts'
import { createFileWords, type FileWords } from './file-words.ts'
import type { ProviderApi } from './provider-api.ts'

type FileRules = {
  /** In messages of the user. */
  readonly message: RegExp
  /** In outcomes of calls. */
  readonly outcome: RegExp
  /** Bytes of one picture, at most. */
  readonly imageBytes: number
}

const MB = 1024 * 1024
/** Images of the types that all providers take, and PDF. The content of a text goes in its place, with its name. */
const COMMON = /^(?:image(?:\/(?:\*|png|jpeg|gif|webp))?|application\/pdf)$/
/** What the APIs take as their packages send it. The sizes are those of the content, before it is encoded. */
const RULES: Readonly<Record<ProviderApi, FileRules>> = {
  anthropic: {
    message: COMMON,
    outcome: COMMON,
    imageBytes: 3.75 * MB,
  },
  responses: { message: COMMON, outcome: COMMON, imageBytes: 20 * MB },
  google: {
    message: /^image(?:\/(?:\*|png|jpeg|webp|heic|heif))?$|^(?:audio|video)(?:\/|$)|^application\/pdf$/,
    outcome: /^image(?:\/(?:\*|png|jpeg|webp|heic|heif))?$|^(?:audio|video)(?:\/|$)|^application\/pdf$/,
    imageBytes: 15 * MB,
  },
  chat: {
    message:
      /^image(?:\/(?:\*|png|jpeg|gif|webp))?$|^video(?:\/|$)|^application\/pdf$|^audio\/(?:wav|mp3|mpeg)$/,
    // They follow the outcome, see `toChatMessages`.
    outcome:
      /^image(?:\/(?:\*|png|jpeg|gif|webp))?$|^video(?:\/|$)|^application\/pdf$|^audio\/(?:wav|mp3|mpeg)$/,
    imageBytes: 20 * MB,
  },
}

/**
 * The request with only such files as the API of the model takes. The content of a text stands in its place, and any
 * other file is named.
 */
export async function fitFiles(
  prompt: LanguageModelV4Prompt,
  { api }: Pick<ModelEndpoint, 'api'>,
  toText: FileWords,
): Promise<LanguageModelV4Prompt> {
  const rules = api && RULES[api]
  if (!rules) return prompt
  return mapPromptFiles(prompt, (file, role) => {
    const pattern = role === 'tool' ? rules.outcome : rules.message
    if (file.type === 'reasoning-file') return file
    // Providers refuse a file of nothing.
    if (file.data.type === 'data' && sizeOf(file) === 0)
      return { type: 'text', text: nameFile(file, 'It is empty.') }
    if (!pattern.test(file.mediaType)) return toText(file, 'This model does not take such files here.')
    const bytes = sizeOf(file)
    if (file.mediaType.startsWith('image') && bytes > rules.imageBytes)
      return toText(file, `It is too large for this model: ${(bytes / MB).toFixed(1)} MB.`)
    return file
  })
}

type Call<T> = (options: LanguageModelV4CallOptions) => Promise<T>

/**
 * Asks a model that refuses a request because of its files again without them, at once and from then on: servers of
 * local models and gateways do not say what their models take.
 */
export function createFileFallback() {
  const turn = nanoid(12)
  const reasons = new Map<ModelEndpoint, string>()
  return async <T>(
    call: Call<T>,
    endpoint: ModelEndpoint,
    options: LanguageModelV4CallOptions,
  ): Promise<T> => {
    const wordsOf = (): FileWords => createFileWords({ turn, signal: options.abortSignal })
    const callWithout = async (reason: string): Promise<T> =>
      call({ ...options, prompt: await withoutFiles(options.prompt, reason, wordsOf()) })
    const earlier = reasons.get(endpoint)
    if (earlier !== undefined) return callWithout(earlier)
    const prompt = await fitFiles(options.prompt, endpoint, wordsOf())
    try {
      return await call({ ...options, prompt })
    } catch (error) {
      const { code, message } = endpoint.failure(error)
      const isRefusal = code === 'model-refused' && OF_FILES.test(message) && hasFiles(prompt)
      if (!isRefusal || options.abortSignal?.aborted) throw error
      const reason = `The model did not take it. ${message}`
      reasons.set(endpoint, reason)
      return callWithout(reason)
    }
  }
}

const OF_FILES =
  /image|picture|vision|modal|media|mime|audio|video|\bfiles?\b|document|pdf|url|download|base64|content type/i

async function withoutFiles(
  prompt: LanguageModelV4Prompt,
  reason: string,
  toText: FileWords,
): Promise<LanguageModelV4Prompt> {
  return mapPromptFiles(prompt, (file) => (file.type === 'reasoning-file' ? undefined : toText(file, reason)))
}

function hasFiles(prompt: LanguageModelV4Prompt): boolean {
  return prompt.some(({ content }) => {
    if (typeof content === 'string') return false
    return content.some(
      (part) =>
        part.type === 'file' ||
        (part.type === 'tool-result' &&
          part.output.type === 'content' &&
          part.output.value.some(({ type }) => type === 'file')),
    )
  })
}

function sizeOf({ data: { data } }: PromptFile): number {
  if (data instanceof Uint8Array) return data.byteLength
  return typeof data === 'string' ? Math.floor((data.length * 3) / 4) : 0
}
