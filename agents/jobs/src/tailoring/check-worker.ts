import { serveWorker } from 'dragoman/isolate'
import type { Difference } from './difference-shape.ts'
import { differenceOf } from './difference.ts'
import { truthOf, type Truth } from './truth.ts'

/** The thread on which resumes are compared: long ones with nothing in common take their time. */

export type CheckRequest = {
  readonly base: string
  readonly tailored: string
  readonly posting: string
  /** The text before the change. */
  readonly before: string
  /** Texts that the model suggests. */
  readonly proposed: readonly string[]
}
export type Checked = {
  readonly truth: Truth
  readonly difference: Difference
  /** For each proposal, whether it makes a claim that the base does not make. */
  readonly doubtful: readonly boolean[]
}
export type CompareRequest = { readonly before: string; readonly after: string }

serveWorker<CheckRequest | CompareRequest, Checked | Difference>((request) =>
  'after' in request ? differenceOf(request.before, request.after) : checked(request),
)

function checked({ base, tailored, posting, before, proposed }: CheckRequest): Checked {
  return {
    truth: truthOf(base, tailored, posting),
    difference: differenceOf(before, tailored),
    // A proposal is partly advice: unknown words in it are no marks.
    doubtful: proposed.map((text) =>
      truthOf(base, text, '').marks.some(({ kind }) => kind !== 'invented_content'),
    ),
  }
}
