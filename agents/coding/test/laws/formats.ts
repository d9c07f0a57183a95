import { validateAgentEvents } from '../../src/protocols/agent-events/validate-agent-events.fixture.ts'
import type { Format } from '../../../../test/laws/encoded.ts'
import { agentEvents } from '../../src/protocols/agent-events/index.ts'
import { envelope } from '../../src/protocols/envelope/index.ts'
import {
  validateEnvelopes,
  validateFullEnvelopes,
} from '../../src/protocols/envelope/validate-envelopes.fixture.ts'

/** The wire formats of the coding agent. */
export const codingFormats: Readonly<Record<string, Format>> = {
  envelope: { protocol: envelope, judge: validateEnvelopes },
  'envelope, each frame of which says everything': {
    protocol: envelope,
    judge: validateFullEnvelopes,
    view: { responseMode: 'full' },
  },
  'envelope with the older frames': {
    protocol: envelope,
    judge: validateEnvelopes,
    view: { legacyEvents: true },
  },
  'envelope, everything, with the older frames': {
    protocol: envelope,
    judge: validateFullEnvelopes,
    view: { responseMode: 'full', legacyEvents: true },
  },
  'agent-events': { protocol: agentEvents, judge: validateAgentEvents },
}
