import type { FinishReason, TerminalEvent } from 'dragoman/events'
import type { Notice } from './envelope/wire.ts'

/** The notice of a run's end; none for a normal end. */
export function toRunEndNotice(
  event: TerminalEvent,
): { readonly type: 'warning' | 'error'; readonly value: Notice } | undefined {
  if (event.type === 'run.failed') {
    const { code, message, retryAfter } = event.failure
    return { type: 'error', value: { code, message, ...(retryAfter !== undefined && { retryAfter }) } }
  }
  const reason = event.type === 'run.cancelled' ? 'cancelled' : event.reason
  const message = WARNINGS[reason]
  return message === undefined ? undefined : { type: 'warning', value: { code: reason, message } }
}

const WARNINGS: Readonly<Record<FinishReason | 'cancelled', string | undefined>> = {
  stop: undefined,
  'tool-calls': undefined,
  other: undefined,
  length: 'The answer ends here because it has reached the length that its model allows.',
  'content-filter': 'The answer ends here because its model’s provider has held it back.',
  'step-limit': 'The answer ends here because its steps are used up.',
  interrupted: 'The answer ends here because it was interrupted.',
  cancelled: 'The answer was stopped.',
}
