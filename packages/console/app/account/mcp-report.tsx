import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'

import { request } from '../api/request.ts'
import { useTranslate } from '../i18n/translate.tsx'
import { useOperation, useReport } from '../operate/queries.ts'
import { Report } from '../operate/report.tsx'
import { LoadError } from '../ui/notices.tsx'

type McpServer = {
  readonly agent: string
  readonly name: string
  readonly url: string
  readonly signedIn: boolean
}

/** The MCP servers at which the user can sign in. Without any, nothing. */
export function McpReport() {
  const { t } = useTranslate()
  const redirected = useRedirected()
  const { data, error, refetch } = useReport<{ servers: readonly McpServer[] }>('/v1/mcp/servers')
  const signIn = useOperation(beginSignIn)
  const signOut = useOperation((server: McpServer) => request<unknown>(pathOf(server), { method: 'DELETE' }))
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
async function beginSignIn(server: McpServer): Promise<void> {
  const redirectUrl = `${location.origin}${location.pathname}`
  const { url } = await request<{ url: string }>(pathOf(server), { body: { redirectUrl } })
  location.assign(url)
}

/** Completes a sign-in if the browser has come back from an authorization server, once. */
function useRedirected() {
  const [address] = useState(redirectedAddress)
  const complete = useOperation((url: string) => request<unknown>('/v1/mcp/sign-ins', { body: { url } }))
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

function pathOf({ agent, name }: McpServer): string {
  return `/v1/mcp/servers/${encodeURIComponent(agent)}/${encodeURIComponent(name)}/sign-in`
}
