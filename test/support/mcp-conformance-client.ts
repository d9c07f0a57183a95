// The client that the conformance suite of MCP tests: the connection to one server, as agents have it. Each tool is
// called once, and its user signs in where the server asks for it. Usage: node mcp-conformance-client.ts URL
import { randomBytes } from 'node:crypto'

import type { Json, ToolContext } from '../../packages/dragoman/src/index.ts'
import { migrate, openDatabase } from '../../packages/dragoman/src/database/index.ts'
import { createOAuthFetch } from '../../packages/dragoman/src/mcp/bounded-fetch.ts'
import type { Call } from '../../packages/dragoman/src/mcp/call-tool.ts'
import { serverConnection } from '../../packages/dragoman/src/mcp/server-connection.ts'
import { elicitFrom } from '../../packages/dragoman/src/mcp/elicitation.ts'
import { parseServers } from '../../packages/dragoman/src/mcp/server-config.ts'
import { errorStatus, isSignInError } from '../../packages/dragoman/src/mcp/server-errors.ts'
import { authorizeRequests } from '../../packages/dragoman/src/mcp/sign-in/authorize-requests.ts'
import { databaseSignIns, signInMigrations } from '../../packages/dragoman/src/mcp/sign-in/sign-in-store.ts'
import { createSignIns } from '../../packages/dragoman/src/mcp/sign-in/sign-ins.ts'
import { createSafeFetch } from '../../packages/dragoman/src/safe-fetch/index.ts'

const REDIRECT_URL = 'http://127.0.0.1:3999/callback'
/** A user does not sign in again for ever. */
const MAX_SIGN_INS = 3

const url = process.argv.at(-1) ?? ''
type Settings = {
  readonly client_id?: string
  readonly client_secret?: string
  readonly toolCalls?: readonly { readonly name: string; readonly arguments: Record<string, unknown> }[]
}
const settings = JSON.parse(process.env['MCP_CONFORMANCE_CONTEXT'] ?? '{}') as Settings
const { client_id: clientId, client_secret: clientSecret, toolCalls = [] } = settings
const oauth = clientId === undefined ? {} : { oauth: { clientId, ...(clientSecret && { clientSecret }) } }
const [server] = parseServers({ tested: { url, ...oauth } }, 'test')
if (server?.kind !== 'http') throw new Error('It is named above.')

const database = openDatabase(':memory:')
await migrate(database, signInMigrations)
const secret = randomBytes(32)
const store = databaseSignIns(database, async () => [secret])
const safeFetch = createSafeFetch({ privateHosts: [], version: 'test' })
/** The suite names the address, and its servers do not read it. */
const findDocument = async () => 'https://conformance-test.local/client-metadata.json'
const signIns = createSignIns({ store, safeFetch, env: process.env, now: Date.now, findDocument })
const target = { userId: 'ada', server }

function connect() {
  return serverConnection(server as NonNullable<typeof server>, {
    headers: {},
    authorize: authorizeRequests({
      store,
      server: target.server,
      key: { userId: target.userId, url },
      oauthFetch: createOAuthFetch(url, safeFetch),
      now: Date.now,
    }),
    env: process.env,
    now: Date.now,
    report: (error) => process.stderr.write(`${String(error)}\n`),
    warn: (problem) => process.stderr.write(`${problem}\n`),
  })
}

/** The browser of a user who allows the access at once. */
async function signIn(): Promise<void> {
  const address = await signIns.begin(target, REDIRECT_URL)
  const answer = await fetch(address, { redirect: 'manual' })
  await signIns.complete(target.userId, answer.headers.get('location') ?? '', () => target.server)
}

let connection = connect()
let signInCount = 0

/** Asks again after each sign-in that the server wants. */
async function signedIn<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    const isWanted = isSignInError(error) || errorStatus(error) === 401
    if (!isWanted || signInCount === MAX_SIGN_INS) throw error
    signInCount += 1
    await signIn()
    await connection.close()
    connection = connect()
    return signedIn(ask)
  }
}

type Schema = { readonly type?: Json; readonly properties?: Readonly<Record<string, Schema>> }

/** A value as a model might write it. */
function sampleOf({ type, properties = {} }: Schema): Json {
  switch (type) {
    case 'object':
      return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, sampleOf(schema)]))
    case 'number':
    case 'integer':
      return 1
    case 'boolean':
      return true
    default:
      return 'text'
  }
}

/** What the suite says, or a sample. */
function inputOf({ name, inputSchema }: Call['tool']): Record<string, unknown> {
  const toolCall = toolCalls.find((each) => each.name === name)
  return toolCall?.arguments ?? (sampleOf(inputSchema) as Record<string, unknown>)
}

const { tools } = await signedIn(() => connection.offer())
for (const tool of tools) {
  const call: Call = {
    tool,
    input: inputOf(tool),
    signal: AbortSignal.timeout(20_000),
    onProgress: () => undefined,
    elicit: elicitFrom('The suite', (async () => ({})) as ToolContext['ask']),
  }
  const result = await signedIn(() => connection.call(call)).catch((error: unknown) => String(error))
  process.stdout.write(`${tool.name}: ${JSON.stringify(result)}\n`)
}
await connection.close()
await database.destroy()
