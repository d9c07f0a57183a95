import type { Envelope } from '../protocols/envelope/wire.ts'
import { envelopeReader } from './envelope-reader.ts'
import { follow, type ConnectionOptions } from '@dragoman/client'

export type EnvelopeOptions = ConnectionOptions & {
  /** As it was asked for. */
  readonly responseMode?: 'incremental' | 'full'
}

/**
 * What a chat stream answers, envelope by envelope, each once and in order, up to the finished one. A line that is lost is taken up again;
 * a run that waits for an answer is waited for. The frames from before the envelopes are passed over.
 *
 * `run` is the answer to the request, or where a run’s stream is (`…/v1/runs/RUN/events`).
 * @throws Error where the run is not there, or not ours, with `cause: { status, code }`; the signal’s reason where that aborts
 */
export function envelopes(
  run: string | URL | Response,
  options: EnvelopeOptions = {},
): AsyncGenerator<Envelope, void, undefined> {
  const { responseMode = 'incremental' } = options
  return follow(run, envelopeReader(responseMode), options, `&ids=1&responseMode=${responseMode}`)
}
