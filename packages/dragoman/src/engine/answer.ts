import { emptyMessage, fold, type AssistantMessage, type RunEvent } from '../events/index.ts'

/** What one run has said so far, folded as its log will be: each request of the model is made from it. */
export interface Answer {
  readonly message: AssistantMessage
  note(event: RunEvent): void
}

type Words = { readonly type: 'text.delta' | 'reasoning.delta'; readonly partId: string; delta: string }

/** It goes on from what was said before. The words of a part are folded once it is over, not one by one. */
export function answerAfter(soFar = emptyMessage('')): Answer {
  let message = soFar
  let words: Words | undefined
  const foldWords = (): void => {
    if (words) message = fold(message, words)
    words = undefined
  }
  return {
    get message() {
      foldWords()
      return message
    },
    note(event) {
      switch (event.type) {
        case 'tool.delta':
          // A request holds what was called, never half of it.
          return
        case 'text.delta':
        case 'reasoning.delta':
          if (words?.type === event.type && words.partId === event.partId) words.delta += event.delta
          else {
            foldWords()
            words = { ...event }
          }
          return
        default:
          foldWords()
          message = fold(message, event)
      }
    },
  }
}
