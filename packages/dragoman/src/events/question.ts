import type { Json } from './json.ts'
import type { Answer, Question } from './run-event.ts'

/** Whether an answer is one to a question of this kind. */
export function fitsQuestion(kind: Question['kind'] | undefined, { kind: given }: Answer): boolean {
  switch (kind) {
    case 'approval':
      return given === 'approval'
    case 'form':
      return given === 'approval' || given === 'form'
    case 'output':
    case undefined:
      return given === 'output' || given === 'error'
  }
}

/** Whether a person answers, in any client; else the client does whose tool it is. */
export function isForPerson(question: Question | undefined): boolean {
  return question?.kind === 'approval' || question?.kind === 'form'
}

/** The input with which a person lets a call run, if it is another than the model's. */
export function editedInput(answer: Answer | undefined): Json | undefined {
  return answer?.kind === 'approval' && answer.approved ? answer.input : undefined
}
