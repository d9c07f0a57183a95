import { createServer, type Server } from 'node:http'
import { createInterface } from 'node:readline/promises'

import { InvalidArgumentError, type Command } from 'commander'
import { ServiceError } from 'dragoman/errors'

import { newCommand } from '../new-command.ts'
import { printJson, printTable } from '../print-table.ts'
import { printableLine } from '../printable.ts'
import type { McpServer } from '@dragoman/client/v1'
import { connect, type Api } from './api.ts'
import { addServerOptions, type ServerAddress } from './server-options.ts'

const DEFAULT_PORT = 3034
/** The server forgets a sign-in after this time. */
const SIGN_IN_MS = 15 * 60_000

type NameOptions = ServerAddress & { readonly agent?: string }
type SignInOptions = NameOptions & { readonly port: number }

export function mcpCommand(): Command {
  return newCommand('mcp')
    .description('Signs a user in at the MCP servers of agents. Without a command it lists them.')
    .addCommand(
      addServerOptions(newCommand('list'))
        .description('Lists the MCP servers at which you can sign in.')
        .option('--json', 'print JSON')
        .action(listServers),
    )
    .addCommand(
      named('sign-in', 'Signs you in at an MCP server, in a browser here or elsewhere.')
        .option(
          '--port <PORT>',
          'port of this machine that the browser comes back to',
          parsePort,
          DEFAULT_PORT,
        )
        .action(signIn),
    )
    .addCommand(named('sign-out', 'Removes your tokens for an MCP server.').action(signOut))
}

function named(name: string, description: string): Command {
  return addServerOptions(newCommand(name))
    .description(description)
    .argument('<NAME>', 'the MCP server')
    .option('--agent <ID>', 'the agent, if several have a server of that name')
}

async function listServers({ json, ...address }: ServerAddress & { readonly json?: boolean }): Promise<void> {
  const page = await connect(address).call('GET /v1/mcp/servers')
  if (json) return printJson(page)
  if (page.servers.length === 0) return say('There are no MCP servers at which you can sign in.')
  printTable([
    ['AGENT', 'NAME', 'SIGNED IN', 'ADDRESS'],
    ...page.servers.map(({ agent, name, url, signedIn }) => [agent, name, signedIn ? 'yes' : 'no', url]),
  ])
}

async function signIn(name: string, { agent, port, ...address }: SignInOptions): Promise<void> {
  const api = connect(address)
  const path = await findServer(api, name, agent)
  const ended = AbortSignal.timeout(SIGN_IN_MS)
  const { redirectUrl, redirected, close } = await listenForRedirect(port)
  const terminal = createInterface({ input: process.stdin })
  try {
    const { url } = await api.call('POST /v1/mcp/servers/{agent}/{name}/sign-in', {
      path,
      body: { redirectUrl },
    })
    say(`Open this address in a browser, and allow the access:\n`)
    process.stdout.write(`${printableLine(url)}\n`)
    say('\nIf the browser is on another machine, paste the address here that it comes back to.')
    const pasted = new Promise<string>((resolve) => terminal.once('line', resolve))
    const late = new Promise<never>((_resolve, reject) => {
      const refuse = (): void =>
        reject(new ServiceError('timed-out', 'The access was not allowed within 15 minutes.'))
      ended.addEventListener('abort', refuse, { once: true })
    })
    const back = (await Promise.race([redirected, pasted, late])).trim()
    await api.call('POST /v1/mcp/sign-ins', { body: { url: back } })
    say(`You are signed in at ${name}.`)
  } finally {
    terminal.close()
    close()
  }
}

async function signOut(name: string, { agent, ...address }: NameOptions): Promise<void> {
  const api = connect(address)
  const path = await findServer(api, name, agent)
  await api.call('DELETE /v1/mcp/servers/{agent}/{name}/sign-in', { path })
  say(`You are signed out at ${name}.`)
}

/** @throws ServiceError `not-found`, or `invalid-request` if several agents have one of that name */
async function findServer(api: Api, name: string, agent?: string): Promise<McpServer> {
  const { servers } = await api.call('GET /v1/mcp/servers')
  const [found, ...others] = servers.filter(
    (each) => each.name === name && (agent === undefined || each.agent === agent),
  )
  if (!found) throw new ServiceError('not-found', `There is no MCP server ${name} at which you can sign in.`)
  if (others.some(({ url }) => url !== found.url))
    throw new ServiceError('invalid-request', `Several agents have a server ${name}: name one with --agent.`)
  return found
}

/** Waits on this machine for the browser to come back. @throws ServiceError `unavailable` if the port is in use */
async function listenForRedirect(port: number) {
  const { promise: redirected, resolve } = Promise.withResolvers<string>()
  const server: Server = createServer((request, response) => {
    const url = `http://127.0.0.1:${port}${request.url ?? ''}`
    const isRedirect = URL.parse(url)?.pathname === '/callback'
    response.writeHead(isRedirect ? 200 : 404, { 'content-type': 'text/plain; charset=utf-8' })
    response.end(isRedirect ? 'You can close this page. The terminal says whether you are signed in.\n' : '')
    if (isRedirect) resolve(url)
  })
  await new Promise<void>((open, reject) => {
    server.once('error', (cause) =>
      reject(
        new ServiceError('unavailable', `Port ${port} is in use: choose another one with --port.`, { cause }),
      ),
    )
    server.listen(port, '127.0.0.1', open)
  })
  const close = (): void => {
    server.close()
    server.closeAllConnections()
  }
  return { redirectUrl: `http://127.0.0.1:${port}/callback`, redirected, close }
}

function parsePort(text: string): number {
  const port = Number(text)
  if (Number.isInteger(port) && port > 0 && port < 65_536) return port
  throw new InvalidArgumentError('It must be a number from 1 to 65535.')
}

function say(sentence: string): void {
  process.stderr.write(`${sentence}\n`)
}
