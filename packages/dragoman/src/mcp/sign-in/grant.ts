import type {
  OAuthClientInformationMixed,
  OAuthClientMetadata,
  OAuthDiscoveryState,
  OAuthTokens,
} from '@modelcontextprotocol/client'

import type { Json } from '../../events/index.ts'
import type { HttpServer } from '../server-config.ts'
import type { SignInKey, SignInPart, SignInStore } from './sign-in-store.ts'

/** The tokens of a user, and the client that they were given to. */
export type Grant = {
  /** Another one for each sign-in. */
  readonly id: string
  readonly redirectUrl: string
  client?: OAuthClientInformationMixed
  tokens?: OAuthTokens
  /** When the access token ends, in ms since 1970, if the server says so. */
  expiresAt?: number
  discovery?: OAuthDiscoveryState
}

/** A sign-in whose user is at the authorization server. `state` names it in the address that they come back to. */
export type Attempt = Grant & {
  readonly state: string
  readonly begunAt: number
  verifier?: string
  authorizationUrl?: string
}

/** What a server says with a refusal. */
export type Challenge = { readonly scope?: string; readonly resourceMetadataUrl?: string }

type Parts = { grant: Grant; attempt: Attempt; wanted: Challenge }

/** A part of a sign-in. It was written by this server, so it has its shape. */
export async function readPart<P extends SignInPart>(
  store: SignInStore,
  key: SignInKey,
  part: P,
): Promise<Parts[P] | undefined> {
  return (await store.read(key, part)) as Parts[P] | undefined
}

export async function writePart<P extends SignInPart>(
  store: SignInStore,
  key: SignInKey,
  { part, value }: { readonly part: P; readonly value: Parts[P] },
): Promise<void> {
  await store.write(key, part, JSON.parse(JSON.stringify(value)) as Json)
}

/** Undefined for a user who has not signed in, or must sign in again. */
export async function findGrantId(store: SignInStore, key: SignInKey): Promise<string | undefined> {
  const grant = await readPart(store, key, 'grant')
  return grant?.tokens && grant.id
}

/** As the client presents itself at the authorization server. */
export function clientMetadata({ oauth }: HttpServer, redirectUrl: string): OAuthClientMetadata {
  const type = { application_type: isLoopback(redirectUrl) ? 'native' : 'web' }
  return {
    ...type,
    client_name: 'dragoman',
    redirect_uris: [redirectUrl],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    ...(oauth?.scope !== undefined && { scope: oauth.scope }),
  }
}

function isLoopback(url: string): boolean {
  return /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])[:/]/.test(url)
}

/** The client that the server's owner has registered. */
export function configuredClient({ oauth }: HttpServer): OAuthClientInformationMixed | undefined {
  if (!oauth) return undefined
  const { clientId, clientSecret } = oauth
  return { client_id: clientId, ...(clientSecret !== undefined && { client_secret: clientSecret }) }
}

/** When tokens that came now end. */
export function endOf({ expires_in: seconds }: OAuthTokens, now: number): number | undefined {
  return seconds === undefined ? undefined : now + seconds * 1000
}
