import { Hono, type Context } from 'hono'

import { describeRoute, type Agent } from 'dragoman/agents'
import { ServiceError } from 'dragoman/errors'
import type { Json } from 'dragoman/events'
import { parseBody } from 'dragoman/protocols'
import { readChatJson, readJsonIfAny, type HttpEnv } from 'dragoman/http'
import { capabilitiesOf } from '../routes/openapi.ts'
import { createAgUiRuns, type AgUiRuns } from '../routes/ag-ui-runs.ts'
import { followThread } from '../routes/follow-thread.ts'
import { runAgent } from '../routes/run-agent.ts'
import type { Conversations } from 'dragoman/surfaces'
import { version } from 'dragoman/server'
import * as operations from './openapi.ts'

/** CopilotKit's name for the agent if its page names none. */
const DEFAULT_AGENT_NAME = 'default'

type NamedAgent = Pick<Agent, 'id' | 'name' | 'description' | 'engine'>

export type CopilotKitOptions = Conversations & {
  readonly agents: readonly NamedAgent[]
  /** The agent for requests that name none. */
  readonly defaultAgent: string
}

/** A request with its agent and thread. */
type AgentRequest = {
  readonly agent: string
  readonly thread: string | undefined
  readonly body: Json | undefined
}
type Ports = CopilotKitOptions & { readonly agUiRuns: AgUiRuns }

/** Every agent for CopilotKit, mounted at `/copilotkit`, which is the page's `runtimeUrl`. */
export function copilotKitRoutes(options: CopilotKitOptions): Hono<HttpEnv> {
  const ports: Ports = { ...options, agUiRuns: createAgUiRuns(options) }
  const readRequest = async (
    c: Context<HttpEnv>,
    read: (context: Context<HttpEnv>) => Promise<Json | undefined> = readJsonIfAny,
  ): Promise<AgentRequest> => ({
    agent: resolveAgentId(c.req.param('agent') ?? '', options),
    thread: c.req.param('thread'),
    body: await read(c),
  })
  return (
    new Hono<HttpEnv>()
      .get('/info', describeRoute(operations.info), (c) => c.json(toInfo(options)))
      .post('/agent/:agent/run', describeRoute(operations.run), async (c) =>
        runAgent(c, withBody(await readRequest(c, readChatJson)), ports),
      )
      .post('/agent/:agent/connect', describeRoute(operations.comeBack), async (c) =>
        connect(c, await readRequest(c), ports),
      )
      .post('/agent/:agent/stop/:thread', describeRoute(operations.stop), async (c) =>
        stop(c, await readRequest(c), ports),
      )
      // As a runtime of CopilotKit's in production: its inspector then shows that there is nothing to read.
      .get('/cpk-debug-events', describeRoute(operations.debugEvents), () => {
        throw new ServiceError(
          'not-found',
          'Debug events of all runs are not served. Read one run: GET /v1/runs/:id/events.',
        )
      })
      .post('/', describeRoute(operations.single), async (c) => single(c, ports))
  )
}

function withBody({ agent, body = null }: AgentRequest): { agent: string; body: Json } {
  return { agent, body }
}

/** All routes at one address. */
async function single(c: Context<HttpEnv>, ports: Ports): Promise<Response> {
  const { method, params, body } = parseBody(operations.singleBody, await readChatJson(c))
  if (method === 'info') return c.json(toInfo(ports))
  if (params?.agentId === undefined) throw new ServiceError('invalid-request', 'params.agentId: is required')
  const request = { agent: resolveAgentId(params.agentId, ports), thread: params.threadId, body }
  if (method === 'agent/run') return runAgent(c, withBody(request), ports)
  return method === 'agent/connect' ? connect(c, request, ports) : stop(c, request, ports)
}

function connect(c: Context<HttpEnv>, { agent, body = null }: AgentRequest, ports: Ports): Promise<Response> {
  const { threadId, runId, protocolVersion } = parseBody(operations.connectBody, body)
  return followThread(c, { agent, threadId, runId, version: protocolVersion }, ports)
}

/** CopilotKit keeps reading after a stop: the stream ends with the run. */
async function stop(
  c: Context<HttpEnv>,
  { agent, thread, body }: AgentRequest,
  { agUiRuns: { stop: end } }: Ports,
): Promise<Response> {
  if (thread === undefined) throw new ServiceError('invalid-request', 'params.threadId: is required')
  const { runId: readRequest } = parseBody(operations.stopBody, body ?? {}) ?? {}
  return c.json({ stopped: await end({ userId: c.get('userId'), agent, thread, run: readRequest }) })
}

function toInfo({ agents, defaultAgent }: CopilotKitOptions) {
  const agentInfos = agents.map((agent) => {
    const { id, name, description } = agent
    return [id, { name, description, className: 'HttpAgent', capabilities: capabilitiesOf(agent) }] as const
  })
  const byDefault = agentInfos.find(([id]) => id === defaultAgent)?.[1]
  return {
    version,
    mode: 'sse' as const,
    agents: { ...Object.fromEntries(agentInfos), ...(byDefault && { [DEFAULT_AGENT_NAME]: byDefault }) },
    audioFileTranscriptionEnabled: false,
  }
}

/** @throws ServiceError `not-found` */
function resolveAgentId(name: string, { agents, defaultAgent }: CopilotKitOptions): string {
  if (agents.some(({ id }) => id === name)) return name
  if (name === DEFAULT_AGENT_NAME) return defaultAgent
  throw new ServiceError('not-found', `There is no agent ${name}.`)
}
