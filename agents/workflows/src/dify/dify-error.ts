import { ServiceError, type ErrorCode } from 'dragoman/errors'
import { isJsonObject, parseJson } from 'dragoman/events'

const MAX_WORDS_LENGTH = 300

/** The error of a workflow that ended without a result. */
export function workflowFailure(sentence: string, cause?: unknown): ServiceError {
  return new ServiceError('model-failed', sentence, { cause })
}

/** The error of a workflow, in Dify's words. */
export function difyError(words: string, status?: number): ServiceError {
  const text = words.trim().slice(0, MAX_WORDS_LENGTH)
  return new ServiceError(
    codeOf(status),
    text === '' ? 'The workflow failed.' : `The workflow failed: ${text}`,
  )
}

/** The error of a response that is no stream: Dify sends JSON with a message. */
export function responseError(status: number, body: string, key: string): ServiceError {
  const words = messageIn(body).replaceAll(key, '…')
  return difyError(words === '' ? `it was answered with status ${status}.` : words, status)
}

function codeOf(status: number | undefined): ErrorCode {
  if (status === 401 || status === 403) return 'model-unauthorized'
  if (status === 429) return 'rate-limited'
  return status !== undefined && status >= 400 && status < 500 ? 'model-refused' : 'model-failed'
}

function messageIn(body: string): string {
  const text = parseJson(body)
  const message = isJsonObject(text) ? text['message'] : undefined
  return typeof message === 'string' ? message : ''
}
