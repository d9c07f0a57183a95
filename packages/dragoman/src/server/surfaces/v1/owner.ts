import { Hono, type MiddlewareHandler } from 'hono'
import type { z } from 'zod'

import { describeRoute } from '../../../agents/index.ts'
import type { UserUsage } from '../../../access/quota/index.ts'
import { ServiceError } from '../../../errors.ts'
import { parseBody } from '../../../protocols/index.ts'
import { readJson, type HttpEnv } from '../../http/index.ts'
import * as operations from './owner-openapi.ts'

type Token = {
  readonly id: string
  readonly name: string
  readonly userId: string
  readonly createdAt: string
  readonly lastUsedAt: string | undefined
}

type TokenStore = {
  /** @throws ServiceError `invalid-request`, `conflict` */
  create(options: { name: string; userId?: string | undefined }): Promise<{ token: Token; secret: string }>
  list(): Promise<readonly Token[]>
  /** @throws ServiceError `not-found` */
  revoke(name: string): Promise<unknown>
}

type ClusterNode = {
  readonly name: string
  readonly place: string | null
  /** In ms since 1970. */
  readonly reportedAt: number
  readonly isAlive: boolean
  readonly runs: number
}

type LoadTotal = {
  readonly kind: string
  readonly pool: string
  readonly used: number
  /** `Infinity` means no limit. */
  readonly limit: number
  readonly refusals: number
}

type Finding = { readonly level: 'ok' | 'note' | 'problem'; readonly text: string }

export type OwnerOptions = {
  readonly version: string
  readonly tokens: TokenStore
  readonly cluster: { readonly nodes: () => Promise<readonly ClusterNode[]> }
  /** What callers hold. */
  readonly load: { readonly totals: () => readonly LoadTotal[] }
  /** What each agent finds on this machine. */
  readonly agents: readonly {
    readonly id: string
    readonly doctor: (() => Promise<readonly Finding[]>) | undefined
  }[]
  readonly usageByUser: (options: { since: number; limit: number }) => Promise<readonly UserUsage[]>
}

const USAGE_DAYS = 30
const DAY_MS = 86_400_000
const MAX_USERS = 500
/** The first reading of the clock is when the module is loaded, which is when the server starts. */
const startedAt = Date.now()

/** What the owner of the server sees and does: tokens, users, nodes, and what is wrong. */
export function ownerRoutes(options: OwnerOptions): Hono<HttpEnv> {
  const { tokens, cluster } = options
  const onlyOwner: MiddlewareHandler<HttpEnv> = async (c, next) => {
    if (!c.get('isOwner')) throw new ServiceError('forbidden', 'Only the owner of the server may do this.')
    await next()
  }
  return new Hono<HttpEnv>()
    .get('/tokens', describeRoute(operations.listTokens), onlyOwner, async (c) =>
      c.json({ tokens: (await tokens.list()).map(toPublicToken) }),
    )
    .post('/tokens', describeRoute(operations.createToken), onlyOwner, async (c) => {
      const { name, user } = parseBody(operations.tokenBody, await readJson(c))
      const { token, secret } = await tokens.create({ name, userId: user })
      return c.json({ token: toPublicToken(token), secret }, 201)
    })
    .delete('/tokens/:id', describeRoute(operations.revokeToken), onlyOwner, async (c) => {
      await tokens.revoke(c.req.param('id'))
      return c.body(null, 204)
    })
    .get('/users', describeRoute(operations.listUsers), onlyOwner, async (c) =>
      c.json({ users: await listUsers(options) }),
    )
    .get('/nodes', describeRoute(operations.listNodes), onlyOwner, async (c) => {
      const nodes = await cluster.nodes()
      return c.json({
        nodes: nodes.map(({ name, place, runs, isAlive, reportedAt }) => ({
          name,
          place,
          runs,
          isAlive,
          reportedAt: toTime(reportedAt),
        })),
      })
    })
    .get('/load', describeRoute(operations.listLoad), onlyOwner, (c) =>
      c.json({
        load: options.load.totals().map(({ kind, pool, used, limit, refusals }) => ({
          kind,
          pool,
          used,
          limit: Number.isFinite(limit) ? limit : null,
          refusals,
        })),
      }),
    )
    .get('/findings', describeRoute(operations.listFindings), onlyOwner, async (c) =>
      c.json({
        version: options.version,
        node: process.version,
        startedAt: toTime(startedAt),
        findings: await findingsOf(options),
      }),
    )
}

function toPublicToken({ id, name, userId, createdAt, lastUsedAt }: Token) {
  return { id, name, user: userId, createdAt, lastUsedAt: lastUsedAt ?? null }
}

function toTime(ms: number): string {
  return new Date(ms).toISOString()
}

/** Everybody who has a token or has used the server lately. */
async function listUsers({
  tokens,
  usageByUser,
}: OwnerOptions): Promise<z.infer<typeof operations.userShape>[]> {
  const usage = await usageByUser({ since: Date.now() - USAGE_DAYS * DAY_MS, limit: MAX_USERS })
  const byUser = new Map(usage.map((row) => [row.userId, row]))
  const counts = Map.groupBy(await tokens.list(), ({ userId }) => userId)
  const users = new Set([...byUser.keys(), ...counts.keys()])
  return Array.from(users, (user) => {
    const { runs = 0, inputTokens = 0, outputTokens = 0, lastRunAt } = byUser.get(user) ?? {}
    const lastRun = lastRunAt === undefined ? null : toTime(lastRunAt)
    return {
      user,
      tokens: counts.get(user)?.length ?? 0,
      runs,
      inputTokens,
      outputTokens,
      lastRunAt: lastRun,
    }
  })
}

/** An agent that cannot be examined must not hide what the others find. */
async function findingsOf({ agents }: OwnerOptions): Promise<z.infer<typeof operations.findingShape>[]> {
  const found = await Promise.all(
    agents.map(async ({ id, doctor }) => {
      try {
        return ((await doctor?.()) ?? []).map(({ level, text }) => ({ agent: id, level, text }))
      } catch {
        return [
          { agent: id, level: 'problem' as const, text: 'A check failed. `dragoman doctor` shows why.' },
        ]
      }
    }),
  )
  return found.flat()
}
