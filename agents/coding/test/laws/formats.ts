import { agentEventsJudge } from '../../src/protocols/agent-events/judge.fixture.ts'
import type { Format } from '../../../../test/laws/encoded.ts'
import { agentEvents } from '../../src/protocols/agent-events/index.ts'
import { envelope } from '../../src/protocols/envelope/index.ts'
import { envelopeJudge, fullEnvelopeJudge } from '../../src/protocols/envelope/judge.fixture.ts'

/** The wire formats of the coding agent. */
export const codingFormats: Readonly<Record<string, Format>> = {
  envelope: { protocol: envelope, judge: envelopeJudge },
  'envelope, each frame of which says everything': {
    protocol: envelope,
    judge: fullEnvelopeJudge,
    view: { responseMode: 'full' },
  },
  'envelope with the older frames': {
    protocol: envelope,
    judge: envelopeJudge,
    view: { legacyEvents: true },
  },
  'envelope, everything, with the older frames': {
    protocol: envelope,
    judge: fullEnvelopeJudge,
    view: { responseMode: 'full', legacyEvents: true },
  },
  'agent-events': { protocol: agentEvents, judge: agentEventsJudge },
}
