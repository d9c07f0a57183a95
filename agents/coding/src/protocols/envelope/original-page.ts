import type { Json } from 'dragoman/events'
import { QUESTION_NOTICE } from '../question-notice.ts'
import type { Change } from './encoder-state.ts'

/** How the web page that was written for the original server names its messages: by its clock and a random word. */
const PAGE_MESSAGE_ID = /^msg_\d{13}_[0-9a-z]{1,9}$/

/**
 * Whether a message is one of the original server's own web page. It learns its session from `connected`, shows the
 * messages that the original server has sent and no others, and can stop an answer only by disconnecting.
 */
export function isOriginalPage(messageId: string | null | undefined): boolean {
  return typeof messageId === 'string' && PAGE_MESSAGE_ID.test(messageId)
}

/** A message as the page can show it: what it does not know becomes words in a warning. */
export function toPageChange(change: Change): Change {
  const { index, status } = change
  if (change.type === 'tool_question') {
    const { name, answer } = change.value
    const message = answer === undefined ? `${name}: ${QUESTION_NOTICE}` : `${name}: ${wordsOf(answer)}`
    return { type: 'warning', value: { code: 'question', message }, index, status }
  }
  if (change.type !== 'data') return change
  const { name, data } = change.value
  return { type: 'warning', value: { code: name, message: wordsOf(data) }, index, status }
}

function wordsOf(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
