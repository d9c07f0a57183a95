import { agentEvents } from '../../../../agents/coding/src/protocols/agent-events/index.ts'
import { envelope } from '../../../../agents/coding/src/protocols/envelope/index.ts'
import { eve } from '../../../../agents/jobs/src/protocols/eve/index.ts'
import { vibelife } from '../../../../agents/life/src/protocols/vibelife/index.ts'

/** The wire formats of the bundled agents, for servers that have other agents. */
export const bundledProtocols = [eve, vibelife, agentEvents, envelope]
