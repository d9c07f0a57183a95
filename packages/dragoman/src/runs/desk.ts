import type { LogWriter } from '../log/index.ts'
import type { RunnerPorts } from './claimed.ts'
import type { Transcript } from './transcript.ts'

/** What a runner works with. `control` ends the run's engine, with a {@link Cause}. */
export type Desk = {
  readonly ports: RunnerPorts
  readonly writer: LogWriter
  readonly told: Transcript
  readonly control: AbortController
}
