import { parseJson, isJsonObject, type Json } from '../../events/index.ts'
import type { SafeFetch } from '../../safe-fetch/index.ts'

/** Where a server has the document that describes it as an OAuth client. */
const CLIENT_DOCUMENT_PATH = '/v1/mcp/client.json'
/** The page of a server that users come back to. A server at other addresses registers itself. */
const REDIRECT_PATH = '/console/account'
const MAX_BYTES = 16 * 1024
const TIMEOUT_MS = 5000

/**
 * What an authorization server reads of a server of ours at this host and path, in place of a registration. It names
 * the page of that server alone: a client that redirects to wherever one likes would lose its users' codes.
 */
export function clientDocument(place: string): {
  readonly client_id: string
  readonly [field: string]: Json
} {
  return {
    client_id: `https://${place}${CLIENT_DOCUMENT_PATH}`,
    client_name: 'dragoman',
    redirect_uris: [`https://${place}${REDIRECT_PATH}`],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  }
}

/**
 * The address of the document at the host of a page that users come back to, if an authorization server can read it
 * there and finds that page in it: the host may be behind a proxy, or another server.
 */
export async function findClientDocument(
  redirectUrl: string,
  { safeFetch, userId }: { readonly safeFetch: SafeFetch; readonly userId: string },
): Promise<string | undefined> {
  const page = new URL(redirectUrl).pathname
  const basePath = page.endsWith(REDIRECT_PATH) ? page.slice(0, -REDIRECT_PATH.length) : ''
  const url = new URL(basePath + CLIENT_DOCUMENT_PATH, redirectUrl)
  if (url.protocol !== 'https:') return undefined
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  try {
    const { status, text } = await safeFetch.get(url, { userId, signal, maxBytes: MAX_BYTES })
    const found = status === 200 ? parseJson(text) : undefined
    const { client_id: id, redirect_uris: redirects } = isJsonObject(found) ? found : {}
    return id === url.href && Array.isArray(redirects) && redirects.includes(redirectUrl) ? id : undefined
  } catch {
    return undefined
  }
}
