import { client } from '../api/client.ts'
import { formatAge, formatNumber } from '../i18n/format.ts'
import { useTranslate } from '../i18n/translate.tsx'
import { LoadError } from '../ui/notices.tsx'
import { useReport } from './queries.ts'
import { Report } from './report.tsx'

/** Everybody who has a token or used the server lately, for its owner. */
export function UserReport() {
  const { t, language } = useTranslate()
  const { data, error, isForbidden, refetch } = useReport('users', () => client.call('GET /v1/users'))
  if (isForbidden) return null
  return (
    <Report title={t('operate.users')}>
      {error && <LoadError error={error} onRetry={() => void refetch()} />}
      <div className="report-table" tabIndex={0} role="region" aria-label={t('operate.users')}>
        <table>
          <thead>
            <tr>
              <th scope="col">{t('operate.user')}</th>
              <th scope="col">{t('operate.tokens')}</th>
              <th scope="col">{t('operate.runs')}</th>
              <th scope="col">{t('operate.inputTokens')}</th>
              <th scope="col">{t('operate.outputTokens')}</th>
              <th scope="col">{t('operate.lastRun')}</th>
            </tr>
          </thead>
          <tbody>
            {data?.users.map(({ user, tokens, runs, inputTokens, outputTokens, lastRunAt }) => (
              <tr key={user}>
                <th scope="row">{user}</th>
                <td>{formatNumber(tokens, language)}</td>
                <td>{formatNumber(runs, language)}</td>
                <td>{formatNumber(inputTokens, language)}</td>
                <td>{formatNumber(outputTokens, language)}</td>
                <td>{lastRunAt === null ? '–' : formatAge(lastRunAt, language)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Report>
  )
}
