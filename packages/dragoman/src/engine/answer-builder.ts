import { emptyMessage, fold, type AssistantMessage, type RunEvent } from '../events/index.ts'

/** Folds one run's answer, as its log will be folded. Each model request is built from it. */
export interface AnswerBuilder {
  readonly message: AssistantMessage
  apply(event: RunEvent): void
}

type PendingDelta = {
  readonly type: 'text.delta' | 'reasoning.delta'
  readonly partId: string
  delta: string
}

/** Continues a partial answer. The deltas of a part are folded together, not one by one. */
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
          // A request contains complete calls only.
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
