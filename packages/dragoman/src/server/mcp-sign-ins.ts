import type { AgentServices } from '../agents/index.ts'
import { enforceRateLimit, type Cluster, type RateLimit } from '../cluster/index.ts'
import { ServiceError } from '../errors.ts'
import { parseServers } from '../mcp/index.ts'
import { isOAuthServer, type HttpServer } from '../mcp/server-config.ts'
import { clientDocument, findClientDocument } from '../mcp/sign-in/client-document.ts'
import type { SignInStore } from '../mcp/sign-in/sign-in-store.ts'
import { createSignIns } from '../mcp/sign-in/sign-ins.ts'
import type { AgentModule } from '../modules/index.ts'
import type { McpSignIns } from './surfaces/index.ts'

const SIGN_INS: RateLimit = {
  name: 'mcp sign-ins',
  max: 60,
  windowMs: 3_600_000,
  refusal: () => 'Too many sign-ins at MCP servers have begun within an hour. Try again later.',
}

type Ports = Pick<AgentServices, 'env' | 'safeFetch'> & {
  readonly modules: readonly Pick<AgentModule, 'agent'>[]
  readonly store: SignInStore
  readonly cluster: Cluster
}

type Entry = { readonly agent: string; readonly server: HttpServer }

/** Sign-ins at the MCP servers of the agents, for their users. */
export function createMcpSignIns({ modules, store, cluster, env, safeFetch }: Ports): McpSignIns {
  const findDocument = async (redirectUrl: string, userId: string) =>
    findClientDocument(redirectUrl, { safeFetch, userId })
  const signIns = createSignIns({ store, env, safeFetch, now: Date.now, findDocument })
  const entries = modules.flatMap(({ agent }) =>
    parseServers(agent.mcp, agent.id)
      .filter(isOAuthServer)
      .map((server): Entry => ({ agent: agent.id, server })),
  )
  const listFor = (userId: string): readonly Entry[] =>
    entries.filter(({ server: { users } }) => users?.includes(userId) ?? true)
  const find = (userId: string, { agent, name }: { agent: string; name: string }): HttpServer => {
    const found = listFor(userId).find((each) => each.agent === agent && each.server.name === name)
    if (found) return found.server
    throw new ServiceError(
      'not-found',
      `The agent ${agent} has no MCP server ${name} at which you can sign in.`,
    )
  }
  return {
    list: (userId) =>
      Promise.all(
        listFor(userId).map(async ({ agent, server }) => ({
          agent,
          name: server.name,
          // The rest of an address may be a key.
          url: new URL(server.url).origin,
          signedIn: await signIns.isSignedIn({ userId, server }),
        })),
      ),
    async begin(userId, named, redirectUrl) {
      const server = find(userId, named)
      await enforceRateLimit(cluster, SIGN_INS, userId)
      return signIns.begin({ userId, server }, redirectUrl)
    },
    async complete(userId, redirected) {
      const atUrl = (url: string): Entry | undefined =>
        listFor(userId).find(({ server }) => server.url === url)
      const { url } = await signIns.complete(userId, redirected, (each) => atUrl(each)?.server)
      const { agent = '', server } = atUrl(url) ?? {}
      return { agent, name: server?.name ?? '' }
    },
    clientDocument,
    end: (userId, named) => signIns.end({ userId, server: find(userId, named) }),
  }
}
