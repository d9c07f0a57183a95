import type { ErrorCode } from 'dragoman/errors'

/** What a failure means to an operator. The log's own sentence may quote what a provider or a tool has said. */
export function failureSentence(code: string): string {
  return SENTENCES[code as ErrorCode] ?? 'the line "run failed" of the process log has the reason'
}

const SENTENCES: Partial<Readonly<Record<ErrorCode, string>>> = {
  'model-unauthorized': "the model's provider refused the server's key",
  'model-refused': "the model's provider refused the request",
  'model-missing': 'the model does not exist, or its provider is not set up',
  'model-overloaded': "the model's provider was overloaded, also when it was asked again",
  'model-failed': "the model's provider failed or could not be reached, also when it was asked again",
  'rate-limited': 'a rate limit was reached, at the provider or here',
  'context-full': 'the conversation is longer than the model can read',
  'quota-exceeded': 'its user had used up the quota',
  'storage-full': "its user's storage was full",
  'too-large': 'it was larger than one run may be',
  'timed-out': 'it took longer than it may',
  interrupted: 'the server was interrupted, and could not continue it',
  'outcome-unknown': 'the server ended while it ran: whether it did its work is not known',
  unanswered: 'no one answered in time',
  denied: 'its user said no',
  'tool-failed': 'the tool itself failed',
  'invalid-input': 'the model gave it a wrong input',
  'unknown-tool': 'there is no such tool',
  overloaded: 'the server was full',
  unavailable: 'the database could not be used',
  aborted: 'the run was stopped',
  internal: 'an unforeseen error: the process log has its stack',
}
