import type { Message } from '../../events/index.ts'
import { readPages, type Store } from '../../log/index.ts'
import type { Encoder } from '../../protocols/index.ts'
import { createEndDetector, skipToNextStep, type EndDetector } from './encode-entries.ts'
import type { ReaderRequest } from './reader-request.ts'

export type Encoding = { readonly encoder: Encoder; readonly ends: EndDetector }

/**
 * Creates an encoder and feeds it the structure before an entry, so that its cost does not grow with the text so far.
 * `before` is the conversation for an encoder that begins at the start.
 */
export async function primeEncoding(
  store: Store,
  { run, protocol, view, after }: ReaderRequest,
  at: number,
  before?: readonly Message[],
): Promise<Encoding> {
  const whole = protocol.encoder({ run, view, ...(before && { before }) })
  const encoder = after?.atStep ? skipToNextStep(whole, after.seq) : whole
  const ends = createEndDetector(protocol)
  const filter = protocol.remembersAll?.(view) ? {} : ({ structure: true } as const)
  if (at === 0) return { encoder, ends }
  for await (const page of readPages(store, run.id, 0, { ...filter, to: at }))
    for (const entry of page) {
      // The frames are discarded.
      encoder(entry, true)
      ends(entry.event)
    }
  return { encoder, ends }
}
