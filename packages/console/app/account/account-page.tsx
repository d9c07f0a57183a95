import type { Session } from '@dragoman/client/v1'
import { client } from '../api/client.ts'
import { formatAge } from '../i18n/format.ts'
import { useTranslate } from '../i18n/translate.tsx'
import { PageHeader } from '../layout/page-header.tsx'
import '../operate/operate.css'
import { useOperation, useReport } from '../operate/queries.ts'
import { Report } from '../operate/report.tsx'
import { LoadError } from '../ui/notices.tsx'
import { browserName } from './browser-name.ts'
import { McpReport } from './mcp-report.tsx'

/** What belongs to the user's account: the browsers that are signed in, and sign-ins at MCP servers. */
export function AccountPage() {
  const { t } = useTranslate()
  return (
    <main className="page">
      <PageHeader title={t('account.title')} />
      <div className="page-body operate">
        <SessionReport />
        <McpReport />
      </div>
    </main>
  )
}

function SessionReport() {
  const { t } = useTranslate()
  const { data, error, refetch } = useReport('sessions', () => client.call('GET /v1/sessions'))
  const end = useOperation((id: string) => client.call('DELETE /v1/sessions/{id}', { path: { id } }))
  const endOthers = useOperation(() => client.call('DELETE /v1/sessions'))
  const { sessions = [] } = data ?? {}
  const problem = error ?? end.error ?? endOthers.error
  const hasOthers = sessions.some(({ isCurrent }) => !isCurrent)
  return (
    <Report title={t('account.sessions')}>
      <p className="quiet">{t('account.sessionsNote')}</p>
      {problem && <LoadError error={problem} onRetry={() => void refetch()} />}
      {data && sessions.length === 0 && <p className="quiet">{t('account.noSessions')}</p>}
      <ul className="token-list">
        {sessions.map((session) => (
          <SessionItem key={session.id} session={session} onEnd={() => end.mutate(session.id)} />
        ))}
      </ul>
      {hasOthers && (
        <button
          type="button"
          className="button"
          onClick={() => confirm(t('account.confirmOthers')) && endOthers.mutate(undefined)}
        >
          {t('account.endOthers')}
        </button>
      )}
    </Report>
  )
}

function SessionItem({ session, onEnd }: { readonly session: Session; readonly onEnd: () => void }) {
  const { t, language } = useTranslate()
  const { token, browser, lastUsedAt, isCurrent } = session
  const name = browserName(browser) ?? t('account.unknownBrowser')
  return (
    <li>
      <strong title={browser ?? undefined}>{name}</strong>
      <span>{t('account.byToken', { name: token })}</span>
      <span className="quiet">
        {isCurrent
          ? t('account.thisBrowser')
          : t('operate.lastUsed', { age: formatAge(lastUsedAt, language) })}
      </span>
      {!isCurrent && (
        <button
          type="button"
          className="button danger"
          aria-label={t('account.endName', { name })}
          onClick={onEnd}
        >
          {t('signIn.signOut')}
        </button>
      )}
    </li>
  )
}
