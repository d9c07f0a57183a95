import { emptyMessage, fold, type AssistantMessage, type RunEvent } from '../events/index.ts'

/** What one run has said so far, folded as its log will be: each request of the model is made from it. */
export interface AnswerBuilder {
  readonly message: AssistantMessage
  apply(event: RunEvent): void
}

type PendingDelta = {
  readonly type: 'text.delta' | 'reasoning.delta'
  readonly partId: string
  delta: string
}

/** It goes on from what was said before. The words of a part are folded once it is over, not one by one. */
export function createAnswerBuilder(partialAnswer = emptyMessage('')): AnswerBuilder {
  let message = partialAnswer
  let pending: PendingDelta | undefined
  const flush = (): void => {
    if (pending) message = fold(message, pending)
    pending = undefined
  }
  return {
    get message() {
      flush()
      return message
    },
    apply(event) {
      switch (event.type) {
        case 'tool.delta':
          // A request holds what was called, never half of it.
          return
        case 'text.delta':
        case 'reasoning.delta':
          if (pending?.type === event.type && pending.partId === event.partId) pending.delta += event.delta
          else {
            flush()
            pending = { ...event }
          }
          return
        default:
          flush()
          message = fold(message, event)
      }
    },
  }
}
