import { client } from '../api/client.ts'
import { formatAge } from '../i18n/format.ts'
import { useTranslate } from '../i18n/translate.tsx'
import { LoadError } from '../ui/notices.tsx'
import { useReport } from './queries.ts'
import { Report } from './report.tsx'

/** What `dragoman doctor` finds about the agents, for the owner of the server. */
export function ServerFindings() {
  const { t, language } = useTranslate()
  const { data, error, isForbidden, refetch } = useReport('findings', () => client.call('GET /v1/findings'))
  if (isForbidden) return null
  return (
    <Report title={t('operate.server')}>
      {error && <LoadError error={error} onRetry={() => void refetch()} />}
      {data && (
        <p className="quiet">
          {t('operate.versions', {
            version: data.version,
            node: data.node,
            age: formatAge(data.startedAt, language),
          })}
        </p>
      )}
      <ul className="findings">
        {data?.findings.map(({ agent, level, text }) => (
          <li key={`${agent} ${text}`} data-level={level} lang="en">
            <strong>{agent}</strong> {text}
          </li>
        ))}
      </ul>
    </Report>
  )
}

/** The nodes of a cluster. */
export function NodeReport() {
  const { t, language } = useTranslate()
  const { data } = useReport('nodes', () => client.call('GET /v1/nodes'))
  if (!data || data.nodes.length === 0) return null
  return (
    <Report title={t('operate.nodes')}>
      <div className="report-table" tabIndex={0} role="region" aria-label={t('operate.nodes')}>
        <table>
          <thead>
            <tr>
              <th scope="col">{t('operate.node')}</th>
              <th scope="col">{t('operate.place')}</th>
              <th scope="col">{t('operate.runs')}</th>
              <th scope="col">{t('operate.reported')}</th>
            </tr>
          </thead>
          <tbody>
            {data.nodes.map(({ name, place, runs, reportedAt, isAlive }) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td>{place}</td>
                <td>{runs}</td>
                <td>{isAlive ? formatAge(reportedAt, language) : t('operate.dead')}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Report>
  )
}
