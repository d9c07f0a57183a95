import type { Json } from './json.ts'

/**
 * What a call would do, as its tool says when a person is asked to approve it. `diff`: the lines of a unified diff,
 * from `/dev/null` for what is new. Without a text nothing would change, unless `isCut` or `problem` say why.
 *
 * @example
 * const preview: Preview = { title: 'a.txt', format: 'diff', text: '@@ -1,1 +1,1 @@\n-old\n+new\n' }
 */
export type Preview = {
  /** What would change, such as the path of a file. */
  readonly title?: string
  readonly format: 'text' | 'diff'
  readonly text: string
  /** The text is not whole: there is more than may be shown. */
  readonly isCut?: true
  /** Why the tool could not say what the call would do. */
  readonly problem?: string
}

/**
 * What a call waits for: a yes or no, an output of the client, or a form. `schema` is the JSON schema of the form, or
 * of the input that a yes may change. `expiresAt` is in ms since 1970. `inPlace`: only the process that asks goes on.
 * `basis` is what the tool based its preview on, for the tool alone: '' if the preview failed.
 */
export type Question = {
  readonly kind: 'approval' | 'output' | 'form'
  readonly message?: string
  readonly schema?: Json
  readonly expiresAt?: number
  readonly inPlace?: true
  readonly preview?: Preview
  readonly basis?: string
}

/** `input` replaces that of the call. A no declines a form. `error`: the client failed to produce an output. */
export type Answer =
  | {
      readonly kind: 'approval'
      readonly approved: boolean
      readonly input?: Json
      readonly reason?: string
    }
  | { readonly kind: 'output' | 'form'; readonly output: Json }
  /** The failure's code, if the server knows a more specific one than `tool-failed`. */
  | { readonly kind: 'error'; readonly message: string; readonly code?: 'outcome-unknown' }

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
