import { styleText } from 'node:util'

import { isServiceError } from 'dragoman/errors'
import type { Api } from '../remote/api.ts'
import { sendAnswer } from '../remote/questions.ts'
import type { Asker } from './follow-answer.ts'
import type { Screen } from './screen.ts'
import type { ToolPart } from './tool-line.ts'

type AskerOptions = {
  readonly api: Api
  readonly screen: Screen
  /** Stops the run. */
  readonly stop: () => Promise<void>
}

/** Asks the user about the calls that wait, one after another, unless another client answers first. */
export function createAsker({ api, screen, stop }: AskerOptions): Asker {
  const open = new Map<string, AbortController>()
  let queue = Promise.resolve()

  const ask = async (part: ToolPart, signal: AbortSignal): Promise<void> => {
    if (signal.aborted) return
    screen.endText()
    const { askCall } = await import('./ask-call.ts')
    const answer = await askCall(part, signal)
    if (answer === undefined)
      return screen.line(
        styleText('dim', 'The question is closed: it is answered elsewhere, or the run has ended.'),
      )
    if (answer === 'stop') return stop()
    try {
      await sendAnswer(api, part.callId, answer)
    } catch (error) {
      // Such as an answer of another client that was first, or a question that has expired.
      if (!isServiceError(error)) throw error
      screen.line(styleText('yellow', error.message))
    }
  }
  return {
    update(calls) {
      const waiting = new Set(calls.map(({ callId }) => callId))
      for (const [callId, controller] of open) {
        if (waiting.has(callId)) continue
        controller.abort()
        open.delete(callId)
      }
      for (const part of calls) {
        if (open.has(part.callId)) continue
        const controller = new AbortController()
        open.set(part.callId, controller)
        queue = queue.then(() => ask(part, controller.signal))
        // `settled` reports it.
        queue.catch(() => undefined)
      }
    },
    settled: () => queue,
  }
}
