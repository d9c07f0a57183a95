import type { McpServer } from '@dragoman/client/v1'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { client } from '../api/client.ts'
import { useTranslate } from '../i18n/translate.tsx'
import { useOperation, useReport } from '../operate/queries.ts'
import { Report } from '../operate/report.tsx'
import { LoadError } from '../ui/notices.tsx'

/** The MCP servers at which the user can sign in. Without any, nothing. */
export function McpReport() {
  const { t } = useTranslate()
  const redirected = useRedirected()
  const { data, error, refetch } = useReport('mcp', () => client.call('GET /v1/mcp/servers'))
  const signIn = useOperation(beginSignIn)
  const signOut = useOperation((path: McpServer) =>
    client.call('DELETE /v1/mcp/servers/{agent}/{name}/sign-in', { path }),
  )
  const { servers = [] } = data ?? {}
  const problem = redirected.error ?? error ?? signIn.error ?? signOut.error
  if (servers.length === 0 && !problem) return null
  return (
    <Report title={t('account.mcp')}>
      <p className="quiet">{t('account.mcpNote')}</p>
      {problem && <LoadError error={problem} onRetry={() => void refetch()} />}
      <ul className="token-list">
        {servers.map((server) => (
          <McpItem
            key={`${server.agent}/${server.name}`}
            server={server}
            onSignIn={() => signIn.mutate(server)}
            onSignOut={() => signOut.mutate(server)}
          />
        ))}
      </ul>
    </Report>
  )
}

type McpItemProps = {
  readonly server: McpServer
  readonly onSignIn: () => void
  readonly onSignOut: () => void
}

function McpItem({ server, onSignIn, onSignOut }: McpItemProps) {
  const { t } = useTranslate()
  const { agent, name, url, signedIn } = server
  return (
    <li>
      <strong title={url}>{name}</strong>
      <span>{agent}</span>
      <span className="quiet">{t(signedIn ? 'account.mcpSignedIn' : 'account.mcpSignedOut')}</span>
      {signedIn ? (
        <button
          type="button"
          className="button danger"
          aria-label={t('account.endName', { name })}
          onClick={onSignOut}
        >
          {t('signIn.signOut')}
        </button>
      ) : (
        <button
          type="button"
          className="button"
          aria-label={t('account.mcpSignInName', { name })}
          onClick={onSignIn}
        >
          {t('account.mcpSignIn')}
        </button>
      )}
    </li>
  )
}

/** Goes to the authorization server, which sends the browser back to this page. */
async function beginSignIn(path: McpServer): Promise<void> {
  const redirectUrl = `${location.origin}${location.pathname}`
  const { url } = await client.call('POST /v1/mcp/servers/{agent}/{name}/sign-in', {
    path,
    body: { redirectUrl },
  })
  location.assign(url)
}

/** Completes a sign-in if the browser has come back from an authorization server, once. */
function useRedirected() {
  const [address] = useState(redirectedAddress)
  const complete = useOperation((url: string) => client.call('POST /v1/mcp/sign-ins', { body: { url } }))
  return useQuery({
    queryKey: ['mcp-redirect', address],
    enabled: address !== undefined,
    retry: false,
    staleTime: Infinity,
    queryFn: async () => {
      // A code works once: a page that is loaded again does not send it again.
      history.replaceState(history.state, '', location.pathname)
      await complete.mutateAsync(address ?? '')
      return true
    },
  })
}

function redirectedAddress(): string | undefined {
  const query = new URLSearchParams(location.search)
  return query.has('state') && (query.has('code') || query.has('error')) ? location.href : undefined
}
