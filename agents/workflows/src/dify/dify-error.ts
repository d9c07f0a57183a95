import { ServiceError, type ErrorCode } from 'dragoman/errors'
import { isJsonObject, parseJson } from 'dragoman/events'

const MAX_WORDS_LENGTH = 300

/** A workflow that did not do what it should. */
export function workflowFailure(sentence: string, cause?: unknown): ServiceError {
  return new ServiceError('model-failed', sentence, { cause })
}

/** What Dify says of a workflow that went wrong, in its own words: they are for whoever runs it. */
export function difyError(words: string, status?: number): ServiceError {
  const text = words.trim().slice(0, MAX_WORDS_LENGTH)
  return new ServiceError(
    codeOf(status),
    text === '' ? 'The workflow failed.' : `The workflow failed: ${text}`,
  )
}

/** An answer that is no stream: JSON with a message, where it is Dify that answers. */
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
