import { randomUUID } from 'node:crypto'

import { isServiceError, ServiceError } from '../../errors.ts'
import { createOAuthFetch } from '../bounded-fetch.ts'
import type { McpServices } from '../mcp-services.ts'
import type { HttpServer } from '../server-config.ts'
import { errorReason } from '../server-errors.ts'
import { draftProvider } from './draft-provider.ts'
import { endOf, readPart, writePart, type Attempt, type Challenge, type Grant } from './grant.ts'
import { probeServer } from './probe-server.ts'
import { readRedirect } from './read-redirect.ts'
import type { SignInKey, SignInStore } from './sign-in-store.ts'

/** The time that a user has at the authorization server. */
const ATTEMPT_MS = 15 * 60_000

export type SignInServices = Pick<McpServices, 'env' | 'safeFetch'> & {
  readonly store: SignInStore
  readonly now: () => number
  /** Finds the address of a document that describes this client, with this redirect address. */
  readonly findDocument: (redirectUrl: string, userId: string) => Promise<string | undefined>
}

/** A user and a server that wants to know them. */
export type SignInTarget = { readonly userId: string; readonly server: HttpServer }

/** Sign-ins of users at MCP servers, by OAuth: a code with PKCE, for a client that describes or registers itself. */
export interface SignIns {
  /**
   * Returns the address where the user allows the access. They come back to `redirectUrl`.
   * @throws ServiceError `unavailable` if the server or its authorization server does not do its part
   */
  begin(target: SignInTarget, redirectUrl: string): Promise<string>
  /**
   * Ends a sign-in with the address that the user came back to. `find` gives the server of an address.
   * @throws ServiceError `invalid-request` for an address that is of no sign-in of this user, `denied` if they
   * refused, `unavailable`
   */
  complete(
    userId: string,
    redirected: string,
    find: (url: string) => HttpServer | undefined,
  ): Promise<HttpServer>
  /** Forgets the tokens of a user. */
  end(target: SignInTarget): Promise<void>
  isSignedIn(target: SignInTarget): Promise<boolean>
}

export function createSignIns(services: SignInServices): SignIns {
  const { store, now } = services
  return {
    async begin(target, redirectUrl) {
      const key = keyOf(target)
      const { server } = target
      const [before, wanted] = [await readPart(store, key, 'grant'), await readPart(store, key, 'wanted')]
      const draft: Attempt = {
        id: randomUUID(),
        state: randomUUID(),
        begunAt: now(),
        redirectUrl,
        // A client is registered with its redirect address. One without tokens may be forgotten at its server.
        ...(before?.redirectUrl === redirectUrl &&
          before.tokens &&
          before.client && { client: before.client }),
      }
      const challenge = { ...(await probeServer(server, services.env)), ...wanted }
      await authorize(target, draft, { services, challenge })
      await writePart(store, key, { part: 'attempt', value: draft })
      if (draft.authorizationUrl !== undefined) return draft.authorizationUrl
      throw new ServiceError('unavailable', `${server.name} asks for no sign-in.`, {
        translations: { zh: `${server.name} 不需要登录。` },
      })
    },
    async complete(userId, redirected, find) {
      const { state, code, issuer } = readRedirect(redirected)
      const found = await findAttempt(store, userId, state)
      const server = found && find(found.url)
      if (!found || !server || now() - found.attempt.begunAt > ATTEMPT_MS)
        throw new ServiceError(
          'invalid-request',
          'url: there is no such sign-in, or it took too long. Begin again.',
          { translations: { zh: '没有这次登录，或者用时太长。请重新登录。' } },
        )
      const key = { userId, url: found.url }
      await store.remove(key, 'attempt')
      if (code === undefined)
        throw new ServiceError('denied', `The sign-in at ${server.name} was refused.`, {
          translations: { zh: `${server.name} 的登录被拒绝了。` },
        })
      const draft: Attempt = { ...found.attempt }
      await authorize({ userId, server }, draft, { services, challenge: {}, code, issuer })
      const value = grantOf(draft, now())
      await writePart(store, key, { part: 'grant', value })
      await store.remove(key, 'wanted')
      return server
    },
    async end(target) {
      for (const part of ['grant', 'attempt', 'wanted'] as const) await store.remove(keyOf(target), part)
    },
    isSignedIn: async (target) => (await readPart(store, keyOf(target), 'grant'))?.tokens !== undefined,
  }
}

function grantOf({ id, redirectUrl, client, tokens, discovery }: Attempt, now: number): Grant {
  const expiresAt = tokens && endOf(tokens, now)
  return {
    id,
    redirectUrl,
    ...(client && { client }),
    ...(tokens && { tokens }),
    ...(discovery && { discovery }),
    ...(expiresAt !== undefined && { expiresAt }),
  }
}

function keyOf({ userId, server }: SignInTarget): SignInKey {
  return { userId, url: server.url }
}

type Step = {
  readonly services: SignInServices
  readonly challenge: Challenge
  readonly code?: string
  readonly issuer?: string | undefined
}

/** One half of a sign-in. @throws ServiceError `unavailable` */
async function authorize(
  { server, userId }: SignInTarget,
  draft: Attempt,
  { services, challenge: { scope, resourceMetadataUrl }, code, issuer }: Step,
): Promise<void> {
  const { auth, IssuerMismatchError, OAuthError } = await import('@modelcontextprotocol/client')
  try {
    const findDocument = async () => services.findDocument(draft.redirectUrl, userId)
    await auth(draftProvider(server, draft, findDocument), {
      serverUrl: server.url,
      fetchFn: createOAuthFetch(server.url, services.safeFetch),
      ...(code !== undefined && { authorizationCode: code }),
      ...(issuer !== undefined && { iss: issuer }),
      ...(scope !== undefined && { scope }),
      ...(resourceMetadataUrl !== undefined && { resourceMetadataUrl: new URL(resourceMetadataUrl) }),
    })
  } catch (cause) {
    if (isServiceError(cause)) throw cause
    const isOther = cause instanceof IssuerMismatchError
    // Its words may quote what was sent.
    const reason = cause instanceof OAuthError ? `it answers ${cause.code}` : errorReason(cause)
    throw new ServiceError(
      'unavailable',
      `The authorization server of ${server.name} does not complete the sign-in: ` +
        `${isOther ? 'its answer is of another one' : reason}.`,
      {
        translations: {
          zh: `${server.name} 的授权服务器没有完成登录：${isOther ? '回答来自另一个服务器' : reason}。`,
        },
      },
    )
  }
}

async function findAttempt(
  store: SignInStore,
  userId: string,
  state: string,
): Promise<{ readonly url: string; readonly attempt: Attempt } | undefined> {
  for (const url of await store.urls(userId, 'attempt')) {
    const attempt = await readPart(store, { userId, url }, 'attempt')
    if (attempt?.state === state) return { url, attempt }
  }
  return undefined
}
