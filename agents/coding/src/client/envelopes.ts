import type { Envelope } from '../protocols/envelope/wire.ts'
import { envelopeReader } from './envelope-reader.ts'
import { follow, type ConnectionOptions } from '@dragoman/client'

export type EnvelopeOptions = ConnectionOptions & {
  /** As it was asked for. */
  readonly responseMode?: 'incremental' | 'full'
}

/**
 * The envelopes of a chat stream, each once and in order, up to the finished one. It reconnects after a loss,
 * waits while the run waits, and skips legacy frames.
 *
 * `run` is the response to the request, or the address of a run’s stream (`…/v1/runs/RUN/events`).
 * @throws Error for a missing run, with `cause: { status, code }`; the reason of the signal
 */
export function envelopes(
  run: string | URL | Response,
  options: EnvelopeOptions = {},
): AsyncGenerator<Envelope, void, undefined> {
  const { responseMode = 'incremental' } = options
  return follow(run, envelopeReader(responseMode), options, `&ids=1&responseMode=${responseMode}`)
}
