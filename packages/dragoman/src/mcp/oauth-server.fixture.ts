import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

import { InvalidGrantError, InvalidTokenError } from '@modelcontextprotocol/sdk/server/auth/errors.js'
import { requireBearerAuth } from '@modelcontextprotocol/sdk/server/auth/middleware/bearerAuth.js'
import type { OAuthServerProvider } from '@modelcontextprotocol/sdk/server/auth/provider.js'
import type { AuthInfo } from '@modelcontextprotocol/sdk/server/auth/types.js'
import { mcpAuthRouter } from '@modelcontextprotocol/sdk/server/auth/router.js'
import { createMcpExpressApp } from '@modelcontextprotocol/sdk/server/express.js'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import type { OAuthClientInformationFull, OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js'

type AuthorizedRequest = IncomingMessage & { readonly auth?: AuthInfo; readonly body?: unknown }

export type OAuthNotes = AsyncDisposable & {
  readonly url: string
  readonly clients: readonly OAuthClientInformationFull[]
  /** How often tokens were renewed. */
  readonly renewals: number
  /** All access tokens end at once. */
  expireAccess(): void
  /** All refresh tokens end at once. */
  revoke(): void
  /** Makes it refuse the next user. */
  refuse(): void
}

/** A server of the official library with its own authorization server, whose users allow all at once. */
export async function oauthNotes(): Promise<OAuthNotes> {
  const grants = createGrants()
  const http = createServer()
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const base = new URL(`http://127.0.0.1:${(http.address() as AddressInfo).port}`)
  const resourceServerUrl = new URL('/mcp', base)
  const resourceMetadataUrl = new URL('/.well-known/oauth-protected-resource/mcp', base).href
  const app = createMcpExpressApp()
  app.use(mcpAuthRouter({ provider: grants.provider, issuerUrl: base, resourceServerUrl }))
  app.all(
    '/mcp',
    requireBearerAuth({ verifier: grants.provider, resourceMetadataUrl }),
    (request: AuthorizedRequest, response: ServerResponse) => void answer(request, response),
  )
  http.on('request', app)
  return {
    url: resourceServerUrl.href,
    clients: grants.clients,
    get renewals() {
      return grants.counts.renewals
    },
    expireAccess: () => grants.access.clear(),
    revoke: () => grants.refresh.clear(),
    refuse: () => void (grants.counts.refusals += 1),
    async [Symbol.asyncDispose]() {
      http.closeAllConnections()
      await new Promise((resolve) => http.close(resolve))
    },
  }
}

async function answer(request: AuthorizedRequest, response: ServerResponse): Promise<void> {
  const server = new McpServer({ name: 'notes', version: '1' })
  server.registerTool('whoami', { annotations: { readOnlyHint: true } }, () => ({
    content: [{ type: 'text', text: request.auth?.clientId ?? '' }],
  }))
  const transport = new StreamableHTTPServerTransport({})
  await server.connect(transport)
  await transport.handleRequest(request, response, request.body)
}

function createGrants() {
  const clients: OAuthClientInformationFull[] = []
  const challenges = new Map<string, string>()
  const access = new Map<string, string>()
  const refresh = new Set<string>()
  const counts = { renewals: 0, refusals: 0 }
  const issue = ({ client_id: client }: OAuthClientInformationFull): OAuthTokens => {
    const tokens = { access_token: randomUUID(), refresh_token: randomUUID() }
    access.set(tokens.access_token, client)
    refresh.add(tokens.refresh_token)
    return { ...tokens, token_type: 'bearer', expires_in: 3600 }
  }
  const provider: OAuthServerProvider = {
    clientsStore: {
      getClient: (id) => clients.find(({ client_id: each }) => each === id),
      registerClient(client) {
        const full = { ...client, client_id: randomUUID() }
        clients.push(full)
        return full
      },
    },
    async authorize(_client, { state, codeChallenge, redirectUri }, response) {
      const target = new URL(redirectUri)
      const code = randomUUID()
      challenges.set(code, codeChallenge)
      target.searchParams.set('state', state ?? '')
      if (counts.refusals > 0) target.searchParams.set('error', 'access_denied')
      else target.searchParams.set('code', code)
      response.redirect(target.href)
    },
    challengeForAuthorizationCode: async (_client, code) => challenges.get(code) ?? '',
    exchangeAuthorizationCode: async (client) => issue(client),
    async exchangeRefreshToken(client, token) {
      // Each works once.
      if (!refresh.delete(token)) throw new InvalidGrantError('It has ended.')
      counts.renewals += 1
      return issue(client)
    },
    async verifyAccessToken(token) {
      const clientId = access.get(token)
      if (clientId === undefined) throw new InvalidTokenError('It has ended.')
      return { token, clientId, scopes: [], expiresAt: Date.now() / 1000 + 3600 }
    },
  }
  return { provider, clients, access, refresh, counts }
}
