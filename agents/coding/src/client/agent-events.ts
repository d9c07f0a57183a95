import type { AgentEvent } from '../protocols/agent-events/wire.ts'
import { completeTexts, dataLines, readError, type Body } from '@dragoman/client'

/**
 * The events of an agent chat up to `complete`. To leave the loop or abort the request ends the run.
 * @throws Error for a refused request, with `cause: { status, code }`, and for a connection that breaks before the end;
 * the reason of the signal
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
