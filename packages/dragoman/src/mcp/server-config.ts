import { isAbsolute } from 'node:path'

import { z } from 'zod'

import type { McpServers } from '../agents/index.ts'
import { ServiceError } from '../errors.ts'
import { isJsonObject, type Json } from '../events/index.ts'
import { readGroup } from '../home-files/index.ts'
import { isInstalled, packageHint } from '../models/index.ts'

/** Which of a server's tools ask their user first: none, all, or those that do not say that they only read. */
export type Approval = (typeof APPROVALS)[number]

type Common = {
  readonly name: string
  readonly approval: Approval
  /** Its tools that are used, by its own names for them; without it, all. */
  readonly tools?: readonly string[]
  /** Milliseconds that one call may take. */
  readonly timeoutMs: number
  /** Milliseconds for which its list of tools holds; without it, as the server says. */
  readonly cacheMs?: number
  /** Whose runs it is for; without it, everybody's. */
  readonly users?: readonly string[]
}

/** A program of this machine, spoken to by its input and output. */
export type StdioServer = Common & {
  readonly kind: 'stdio'
  readonly command: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly cwd?: string
}

/** A server that is spoken to by HTTP. */
export type HttpServer = Common & {
  readonly kind: 'http'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  /** A client that its owner has registered at the authorization server. Without it, one is registered as needed. */
  readonly oauth?: OAuthClient
}

export type OAuthClient = {
  readonly clientId: string
  readonly clientSecret?: string
  readonly scope?: string
}

export type ServerEntry = StdioServer | HttpServer

/** Whether users can sign in at a server: it has no header that shows who asks. */
export function isOAuthServer(server: ServerEntry): server is HttpServer {
  return server.kind === 'http' && !Object.keys(server.headers).some((name) => /^authorization$/i.test(name))
}

/** The values that only the server's owner may read: headers and variables. */
export function secretsOf(server: ServerEntry): readonly string[] {
  const values = Object.values(
    server.kind === 'http' ? { ...server.headers, ...server.oauth, clientId: '' } : server.env,
  )
  return values
    .flatMap((value) => [value, value.replace(/^\w+ /, '')])
    .filter(({ length }) => length >= MIN_SECRET_LENGTH)
}

/** A shorter value occurs in ordinary words. */
const MIN_SECRET_LENGTH = 6
const APPROVALS = ['never', 'always', 'writes'] as const
/** With the name of a tool behind it, a tool's whole name fits into the 64 characters that models take. */
const NAME = /^[A-Za-z][A-Za-z0-9_-]{0,31}$/
const HEADER = /^[\w!#$%&'*+.^`|~-]+$/
/** What a header may hold: no line break, nothing that is no single byte. */
export const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/
const MAX_SERVERS = 50
/** It is loaded where an agent has servers. */
const PACKAGE = '@modelcontextprotocol/client'

const line = z.string().min(1)
const lines = z.array(line, 'must be a list of texts')
const variables = z.record(z.string(), z.string(), 'must be a group of texts')

/** A text that is one variable alone is a number here. */
function seconds(least: number, most: number) {
  const words = `must be a whole number of seconds from ${least} to ${most}`
  const meant = (value: unknown): unknown =>
    typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value
  return z.preprocess(meant, z.int(words).min(least, words).max(most, words))
}

const common = {
  approval: z.enum(APPROVALS).default('writes'),
  tools: lines.optional(),
  timeout: seconds(1, 3600).default(30),
  cache: seconds(0, 86_400).optional(),
  users: lines.optional(),
}

const stdio = z.strictObject({
  ...common,
  command: line,
  args: z.array(z.string(), 'must be a list of texts').default([]),
  env: variables.default({}),
  cwd: line.refine(isAbsolute, 'must be an absolute path').optional(),
})

const oauth = z.strictObject({ clientId: line, clientSecret: line.optional(), scope: line.optional() })

const http = z.strictObject({
  ...common,
  url: line.refine(isHttp, 'must be an address like https://host.example/mcp'),
  headers: variables
    .refine(
      (headers) => Object.keys(headers).every((name) => HEADER.test(name)),
      'must have names of headers',
    )
    .refine(
      (headers) => Object.values(headers).every((value) => HEADER_VALUE.test(value)),
      'must have values that a header can hold',
    )
    .default({}),
  oauth: oauth.optional(),
})

/**
 * Reads a group of servers. `place` begins each sentence about a mistake.
 * @throws ServiceError `invalid-request` that says which field of which server is wrong
 */
export function parseServers(mcp: unknown, place: string): readonly ServerEntry[] {
  if (mcp === null || mcp === undefined) return []
  if (!isJsonObject(mcp)) throw wrong(place, 'mcp must be a group of servers, each by its name.')
  const names = Object.keys(mcp)
  if (names.length > 0 && !isInstalled(PACKAGE)) throw wrong(place, `mcp ${packageHint(PACKAGE)}`)
  if (names.length > MAX_SERVERS) throw wrong(place, `mcp may name at most ${MAX_SERVERS} servers.`)
  const fault = names.map(nameFault).find((each) => each !== undefined)
  if (fault !== undefined) throw wrong(place, fault)
  return Object.entries(mcp).map(([name, entry]) => parseOne(name, entry, place))
}

/**
 * The servers in a file, such as the section `mcp` of config.yaml. `place`: the name of the file.
 *
 * @throws ServiceError `invalid-request` that says which field of which server is wrong
 *
 * @example
 * const agent = defineAgent({ ...dice, mcp: readMcpServers(settings.mcp, 'config.yaml') })
 */
export function readMcpServers(mcp: Json, place: string): McpServers {
  parseServers(mcp, place)
  return (mcp ?? {}) as McpServers
}

function nameFault(name: string): string | undefined {
  return NAME.test(name)
    ? undefined
    : `mcp.${name.slice(0, 50)}: the name of a server is a letter and then at most 31 letters, digits, - and _.`
}

function parseOne(name: string, entry: Json, place: string): ServerEntry {
  if (!isJsonObject(entry) || 'command' in entry === 'url' in entry)
    throw wrong(place, `mcp.${name} must have either command, for a program of this machine, or url.`)
  const group = `${place}: mcp.${name}`
  if ('command' in entry) {
    const { command, args, env, cwd, ...rest } = readGroup(group, entry, stdio)
    return { kind: 'stdio', ...commonOf(name, rest), command, args, env, ...(cwd !== undefined && { cwd }) }
  }
  const { url, headers, oauth: client, ...rest } = readGroup(group, entry, http)
  return { kind: 'http', ...commonOf(name, rest), url, headers, ...(client && { oauth: clientOf(client) }) }
}

function clientOf({ clientId, clientSecret, scope }: z.infer<typeof oauth>): OAuthClient {
  return {
    clientId,
    ...(clientSecret !== undefined && { clientSecret }),
    ...(scope !== undefined && { scope }),
  }
}

type ReadCommon = { [K in keyof typeof common]: z.infer<(typeof common)[K]> }

function commonOf(name: string, { approval, tools, timeout, cache, users }: Partial<ReadCommon>): Common {
  return {
    name,
    approval: approval ?? 'writes',
    timeoutMs: (timeout ?? 30) * 1000,
    ...(cache !== undefined && { cacheMs: cache * 1000 }),
    ...(tools && { tools }),
    ...(users && { users }),
  }
}

function isHttp(text: string): boolean {
  const url = URL.parse(text)
  return url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === ''
}

function wrong(place: string, sentence: string): ServiceError {
  return new ServiceError('invalid-request', `${place}: ${sentence}`)
}
