import { emptyMessage, fold, type AssistantMessage, type LogEntry } from 'dragoman/events'

/**
 * The message that a run writes, each time that it has changed. `entries` are those of {@link followRun}, from the first on; `id` is what
 * the message is to be called.
 *
 * @example
 * for await (const message of messages(followRun(`${url}/v1/runs/${runId}/events`))) {
 *   console.log(message.status, message.parts.length)
 * }
 */
export async function* messages(
  entries: AsyncIterable<LogEntry>,
  id = '',
): AsyncGenerator<AssistantMessage, void, undefined> {
  let message = emptyMessage(id)
  for await (const { event } of entries) {
    const next = fold(message, event)
    if (next === message) continue
    message = next
    yield message
  }
}
