import type { AgentEvent } from '../protocols/agent-events/wire.ts'
import { completeTexts, dataLines, readError, type Body } from '@dragoman/client'

/**
 * What an agent chat answers, event by event, up to its `complete`. To leave ends the request, and with it the run: `break`, or abort the
 * signal that the request was sent with.
 * @throws Error where it was refused, with `cause: { status, code }`, or where the line breaks before the end; the signal’s reason where that aborts
 */
export async function* agentEvents(
  answer: Response | Body,
  signal: AbortSignal = new AbortController().signal,
): AsyncGenerator<AgentEvent, void, undefined> {
  const body = 'getReader' in answer ? answer : answer.ok && answer.body
  if (!body) throw await readError(answer as Response)
  for await (const text of completeTexts(body, '\n\n', signal)) {
    for (const data of dataLines(text)) {
      signal.throwIfAborted()
      const event = JSON.parse(data) as AgentEvent
      yield event
      if (event.type === 'complete') return
    }
  }
  signal.throwIfAborted()
  throw new Error('The answer was cut off before its end.')
}
