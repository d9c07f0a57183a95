import { Hono } from 'hono'
import { z } from 'zod'

import { describeRoute, type Operation } from '../../../agents/index.ts'
import { parseBody } from '../../../protocols/index.ts'
import { readJson, type HttpEnv } from '../../http/index.ts'

const MAX_URL_LENGTH = 8000

const serverName = {
  agent: z.string().meta({ examples: ['helper'] }),
  name: z.string().meta({ examples: ['notes'] }),
}

const serverShape = z
  .object({
    ...serverName,
    url: z.string().describe('Its origin: the rest of its address may be a key.'),
    signedIn: z.boolean().describe('Whether you have signed in. A server may not want that.'),
  })
  .meta({ id: 'McpServer' })

type ServerName = { readonly agent: string; readonly name: string }

/** Signs users in at the MCP servers of agents. */
export type McpSignIns = {
  list(userId: string): Promise<z.infer<typeof serverShape>[]>
  /** Returns the address where the user allows the access. @throws ServiceError `not-found`, `unavailable` */
  begin(userId: string, server: ServerName, redirectUrl: string): Promise<string>
  /** @throws ServiceError `invalid-request`, `denied`, `unavailable` */
  complete(userId: string, url: string): Promise<ServerName>
  /** What authorization servers read of the server at this host. */
  clientDocument(host: string): { readonly client_id: string }
  /** @throws ServiceError `not-found` */
  end(userId: string, server: ServerName): Promise<void>
}

const group = 'MCP'
const params = z.object(serverName)

const beginBody = z
  .object({
    redirectUrl: z
      .string()
      .max(MAX_URL_LENGTH)
      .refine(isRedirectUrl, 'must be an http or https address without a fragment')
      .describe('Where the authorization server sends the browser back to.'),
  })
  .meta({ examples: [{ redirectUrl: 'http://127.0.0.1:3034/callback' }] })

const completeBody = z
  .object({
    url: z.string().max(MAX_URL_LENGTH).describe('The whole address that the browser came back to.'),
  })
  .meta({ examples: [{ url: 'http://127.0.0.1:3034/callback?code=abc&state=def' }] })

const listServers: Operation = {
  group,
  summary: 'List the MCP servers at which you can sign in',
  description: 'Those of all agents that have an address and no Authorization header.',
  responses: { 200: { description: 'All servers.', json: z.object({ servers: z.array(serverShape) }) } },
}

const beginSignIn: Operation = {
  group,
  summary: 'Begin to sign in at an MCP server',
  description:
    'Open the address in a browser, where the user allows the access. Then send the address that the browser comes ' +
    'back to with `POST /v1/mcp/sign-ins`, within 15 minutes.',
  params,
  body: beginBody,
  responses: { 200: { description: 'Where the user allows it.', json: z.object({ url: z.string() }) } },
  errors: ['not-found', 'rate-limited', 'unavailable'],
}

const completeSignIn: Operation = {
  group,
  summary: 'Complete a sign-in at an MCP server',
  description:
    'Only the user who began it can complete it. Their runs use the tools of the server from then on.',
  body: completeBody,
  responses: { 200: { description: 'The server.', json: z.object(serverName) } },
  errors: ['denied', 'unavailable'],
}

const endSignIn: Operation = {
  group,
  summary: 'Sign out at an MCP server',
  description: 'Its tokens are removed.',
  params,
  responses: { 204: { description: 'You are signed out.' } },
  errors: ['not-found'],
}

const showClient: Operation = {
  group,
  summary: 'Show the server as an OAuth client',
  description:
    'Authorization servers read this client ID metadata document in place of a registration. It needs no token.',
  responses: {
    200: { description: 'The document.', json: z.looseObject({ client_id: z.string() }) },
  },
}

/** A user's own sign-ins at MCP servers. */
export function mcpRoutes({ signIns }: { readonly signIns: McpSignIns }): Hono<HttpEnv> {
  return new Hono<HttpEnv>()
    .get('/client.json', describeRoute(showClient), (c) =>
      c.json(signIns.clientDocument(new URL(c.req.url).host + c.get('basePath'))),
    )
    .get('/servers', describeRoute(listServers), async (c) =>
      c.json({ servers: await signIns.list(c.get('userId')) }),
    )
    .post('/servers/:agent/:name/sign-in', describeRoute(beginSignIn), async (c) => {
      const { redirectUrl } = parseBody(beginBody, await readJson(c))
      return c.json({ url: await signIns.begin(c.get('userId'), c.req.param(), redirectUrl) })
    })
    .delete('/servers/:agent/:name/sign-in', describeRoute(endSignIn), async (c) => {
      await signIns.end(c.get('userId'), c.req.param())
      return c.body(null, 204)
    })
    .post('/sign-ins', describeRoute(completeSignIn), async (c) => {
      const { url } = parseBody(completeBody, await readJson(c))
      return c.json(await signIns.complete(c.get('userId'), url))
    })
}

function isRedirectUrl(text: string): boolean {
  const url = URL.parse(text)
  return url !== null && /^https?:$/.test(url.protocol) && url.hash === '' && url.username === ''
}
