import type { Fetch } from '../bounded-fetch.ts'
import type { Authorize } from '../open-client.ts'
import type { HttpServer } from '../server-config.ts'
import { SignInError } from '../server-errors.ts'
import { configuredClient, endOf, readPart, writePart, type Grant } from './grant.ts'
import type { SignInKey, SignInStore } from './sign-in-store.ts'

/** A token that ends within this time is renewed before it is used. */
const RENEWAL_MS = 30_000
/** Why an authorization server renews tokens no more. */
const ENDED: ReadonlySet<string> = new Set(['invalid_grant', 'invalid_client', 'unauthorized_client'])

type Options = {
  readonly store: SignInStore
  readonly server: HttpServer
  readonly key: SignInKey
  readonly oauthFetch: Fetch
  readonly now: () => number
}

/** Sends the tokens of a user with each request, and renews them. Requests throw `SignInError` where that fails. */
export function authorizeRequests(options: Options): Authorize {
  const { store, server, key } = options
  const { origin } = new URL(server.url)
  const tokens = renewableTokens(options)
  return (send) => async (url, init) => {
    const ask = async (token: string | undefined): Promise<Response> => {
      const headers = new Headers(init?.headers)
      if (token !== undefined && new URL(url).origin === origin)
        headers.set('authorization', `Bearer ${token}`)
      return send(url, { ...init, headers })
    }
    const used = await tokens.current()
    let response = await ask(used)
    if (response.status === 401) {
      await response.body?.cancel()
      const renewed = used === undefined ? undefined : await tokens.renew(used)
      if (renewed === undefined) throw new SignInError('its user must sign in again')
      response = await ask(renewed)
    }
    if (response.status === 403) await noteWantedScope(response, store, key)
    return response
  }
}

/** For callers who have not signed in. Requests throw `SignInError` if the server wants them to. */
export const requireSignIn: Authorize = (send) => async (url, init) => {
  const response = await send(url, init)
  if (response.status !== 401) return response
  // A server that wants OAuth names its metadata.
  if (!/\bresource_metadata\b/.test(response.headers.get('www-authenticate')?.slice(0, 4000) ?? ''))
    return response
  await response.body?.cancel()
  throw new SignInError('its user must sign in')
}

/** Keeps what the server wants for the next sign-in. @throws SignInError if it wants more rights */
async function noteWantedScope(response: Response, store: SignInStore, key: SignInKey): Promise<void> {
  const { computeScopeUnion, extractWWWAuthenticateParams } = await import('@modelcontextprotocol/client')
  const { error, scope, resourceMetadataUrl } = extractWWWAuthenticateParams(response)
  if (error !== 'insufficient_scope') return
  await response.body?.cancel()
  const [grant, wanted] = [await readPart(store, key, 'grant'), await readPart(store, key, 'wanted')]
  const scopes = computeScopeUnion(grant?.tokens?.scope, wanted?.scope, scope)
  const value = {
    ...(scopes !== undefined && { scope: scopes }),
    ...(resourceMetadataUrl && { resourceMetadataUrl: resourceMetadataUrl.href }),
  }
  await writePart(store, key, { part: 'wanted', value })
  throw new SignInError('it wants more rights: its user must sign in again')
}

type Renewals = Map<string, Promise<string | undefined>>
const renewals = new WeakMap<SignInStore, Renewals>()

/** A refresh token may work once: requests of all connections at the same time share one renewal. */
function renewalsOf(store: SignInStore): Renewals {
  const found = renewals.get(store) ?? new Map<string, Promise<string | undefined>>()
  renewals.set(store, found)
  return found
}

/** Tokens are read for each request: another connection or node may have renewed them. */
function renewableTokens(options: Options) {
  const { store, server, key, oauthFetch, now } = options
  const read = async (): Promise<Grant | undefined> => readPart(store, key, 'grant')

  /** Returns undefined if the user must sign in again. */
  const renewOnce = async (used: string): Promise<string | undefined> => {
    const grant = await read()
    const { tokens, expiresAt: _, ...kept } = grant ?? ({} as Grant)
    const { client = configuredClient(server), discovery } = kept
    if (tokens?.access_token !== used) return tokens?.access_token
    if (tokens.refresh_token === undefined || !client) return undefined
    const { OAuthError, refreshAuthorization } = await import('@modelcontextprotocol/client')
    try {
      const renewed = await refreshAuthorization(discovery?.authorizationServerUrl ?? server.url, {
        clientInformation: client,
        refreshToken: tokens.refresh_token,
        fetchFn: oauthFetch,
        ...(discovery?.authorizationServerMetadata && { metadata: discovery.authorizationServerMetadata }),
        ...(discovery?.resourceMetadata && { resource: discovery.resourceMetadata.resource }),
      })
      const expiresAt = endOf(renewed, now())
      const scope = tokens.scope !== undefined && { scope: tokens.scope }
      const value = {
        ...kept,
        tokens: { ...scope, ...renewed },
        ...(expiresAt !== undefined && { expiresAt }),
      }
      await writePart(store, key, { part: 'grant', value })
      return renewed.access_token
    } catch (error) {
      const isEnded = error instanceof OAuthError && ENDED.has(error.code)
      // Another node may have renewed them: its tokens stay.
      if (isEnded && (await read())?.tokens?.refresh_token === tokens.refresh_token)
        await writePart(store, key, { part: 'grant', value: kept })
      return undefined
    }
  }
  const renew = async (used: string): Promise<string | undefined> => {
    const shared = renewalsOf(store)
    const name = JSON.stringify([key.userId, key.url])
    const renewal = shared.get(name) ?? renewOnce(used).finally(() => shared.delete(name))
    shared.set(name, renewal)
    return renewal
  }
  return {
    renew,
    async current(): Promise<string | undefined> {
      const grant = await read()
      const token = grant?.tokens?.access_token
      const isEnding = grant?.expiresAt !== undefined && grant.expiresAt - RENEWAL_MS < now()
      if (token === undefined || !isEnding || grant?.tokens?.refresh_token === undefined) return token
      return (await renew(token)) ?? token
    },
  }
}
