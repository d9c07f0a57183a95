import { Hono, type Context } from 'hono'

import { describeRoute, type Agent } from '../../agents/index.ts'
import { ServiceError } from '../../errors.ts'
import type { Json } from '../../events/index.ts'
import { agUi, parseBody } from '../../protocols/index.ts'
import { readJson, readJsonIfAny, type HttpEnv } from '../http/index.ts'
import { capabilitiesOf } from './ag-ui-operations.ts'
import { agUiRuns, MOST_BYTES, type AgUiRuns } from './ag-ui-runs.ts'
import type { Conversations } from './conversations.ts'
import { unreadFor } from './replies.ts'
import { connect } from './copilotkit-connect.ts'
import * as operations from './copilotkit-operations.ts'

/** Under this name CopilotKit asks where its page names no agent. */
const DEFAULT = 'default'

type Named = Pick<Agent, 'id' | 'name' | 'description' | 'engine'>

export type CopilotKitOptions = Conversations & {
  readonly version: string
  readonly agents: readonly Named[]
  /** Of those the one that is meant where none is named. */
  readonly defaultAgent: string
}

/** One request, wherever its agent and conversation were named. */
type Asked = { readonly agent: string; readonly thread: string | undefined; readonly body: Json | undefined }
type Ports = CopilotKitOptions & { readonly agUiRuns: AgUiRuns }

/** Every agent, as CopilotKit speaks to its own runtime: mounted at `/copilotkit`, which is a page's `runtimeUrl`. */
export function copilotKit(options: CopilotKitOptions): Hono<HttpEnv> {
  const ports: Ports = { ...options, agUiRuns: agUiRuns(options) }
  const named = async (c: Context): Promise<Asked> => ({
    agent: agentNamed(c.req.param('agent') ?? '', options),
    thread: c.req.param('thread'),
    body: await readJsonIfAny(c, MOST_BYTES),
  })
  return new Hono<HttpEnv>()
    .get('/info', describeRoute(operations.info), (c) => c.json(infoOf(options)))
    .post('/agent/:agent/run', describeRoute(operations.run), async (c) => run(c, await named(c), ports))
    .post('/agent/:agent/connect', describeRoute(operations.comeBack), async (c) =>
      connect(c, await named(c), options),
    )
    .post('/agent/:agent/stop/:thread', describeRoute(operations.stop), async (c) =>
      stop(c, await named(c), ports),
    )
    .post('/', describeRoute(operations.single), async (c) => single(c, ports))
}

/** All that the routes take, at one address. */
async function single(c: Context<HttpEnv>, ports: Ports): Promise<Response> {
  const { method, params, body } = parseBody(operations.singleBody, await readJson(c, MOST_BYTES))
  if (method === 'info') return c.json(infoOf(ports))
  if (params?.agentId === undefined) throw new ServiceError('invalid-request', 'params.agentId: is required')
  const asked = { agent: agentNamed(params.agentId, ports), thread: params.threadId, body }
  if (method === 'agent/run') return run(c, asked, ports)
  return method === 'agent/connect' ? connect(c, asked, ports) : stop(c, asked, ports)
}

async function run(
  c: Context<HttpEnv>,
  { agent, body = null }: Asked,
  { agUiRuns: { begin }, replies }: Ports,
): Promise<Response> {
  const asking = {
    userId: c.get('userId'),
    agent,
    protocol: agUi,
    policy: 'reject',
    isUnread: unreadFor(c, replies),
  } as const
  const { run: begun, ...part } = await begin(agUi.parse(body), asking)
  return replies.stream(c, begun, { protocol: agUi, ...part })
}

/** CopilotKit goes on reading after its Stop: the stream ends with the run. */
async function stop(
  c: Context<HttpEnv>,
  { agent, thread, body }: Asked,
  { agUiRuns: { stop: end } }: Ports,
): Promise<Response> {
  if (thread === undefined) throw new ServiceError('invalid-request', 'params.threadId: is required')
  const { runId: named } = parseBody(operations.stopBody, body ?? {}) ?? {}
  return c.json({ stopped: await end({ userId: c.get('userId'), agent, thread, run: named }) })
}

function infoOf({ version, agents, defaultAgent }: CopilotKitOptions) {
  const told = agents.map((agent) => {
    const { id, name, description } = agent
    return [id, { name, description, className: 'HttpAgent', capabilities: capabilitiesOf(agent) }] as const
  })
  const byDefault = told.find(([id]) => id === defaultAgent)?.[1]
  return {
    version,
    mode: 'sse' as const,
    agents: { ...Object.fromEntries(told), ...(byDefault && { [DEFAULT]: byDefault }) },
    audioFileTranscriptionEnabled: false,
  }
}

/** @throws ServiceError `not-found` */
function agentNamed(name: string, { agents, defaultAgent }: CopilotKitOptions): string {
  if (agents.some(({ id }) => id === name)) return name
  if (name === DEFAULT) return defaultAgent
  throw new ServiceError('not-found', `There is no agent ${name}.`)
}
