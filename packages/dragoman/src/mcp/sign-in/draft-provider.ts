import type { OAuthClientProvider } from '@modelcontextprotocol/client'

import type { HttpServer } from '../server-config.ts'
import { clientMetadata, configuredClient, type Attempt } from './grant.ts'

/**
 * Works on a draft that is kept when its step has succeeded. `findDocument`: finds the address of a document that
 * describes this client.
 */
export function draftProvider(
  server: HttpServer,
  draft: Attempt,
  findDocument: () => Promise<string | undefined>,
): OAuthClientProvider {
  const provider: OAuthClientProvider = {
    redirectUrl: draft.redirectUrl,
    clientMetadata: clientMetadata(server, draft.redirectUrl),
    state: () => draft.state,
    clientInformation: () => draft.client ?? configuredClient(server),
    // The library warns of a client that it could keep, and did not register.
    ...(!server.oauth && {
      saveClientInformation(client) {
        draft.client = client
      },
    }),
    // The user signs in again, whatever there is.
    tokens: () => undefined,
    saveTokens(tokens) {
      draft.tokens = tokens
    },
    redirectToAuthorization(url) {
      draft.authorizationUrl = url.href
    },
    saveCodeVerifier(verifier) {
      draft.verifier = verifier
    },
    codeVerifier: () => draft.verifier ?? '',
    async saveDiscoveryState(discovery) {
      draft.discovery = discovery
      const metadata: { readonly [field: string]: unknown } = { ...discovery.authorizationServerMetadata }
      if (metadata['client_id_metadata_document_supported'] !== true) return
      const document = await findDocument()
      if (document !== undefined) provider.clientMetadataUrl = document
    },
    discoveryState: () => draft.discovery,
    invalidateCredentials(scope) {
      if (scope === 'all' || scope === 'client') delete draft.client
    },
  }
  return provider
}
