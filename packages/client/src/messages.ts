import { emptyMessage, fold, type AssistantMessage, type LogEntry } from 'dragoman/events'

/**
 * Yields the message that a run writes, each time it changes. `entries` come from {@link followRun} and begin with the
 * first one. `id` becomes the id of the message.
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
