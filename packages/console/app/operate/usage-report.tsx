import { client } from '../api/client.ts'
import { useState } from 'react'

import { formatBytes, formatNumber } from '../i18n/format.ts'
import { useTranslate } from '../i18n/translate.tsx'
import { LoadError } from '../ui/notices.tsx'
import { useReport, type Quota, type Usage } from './queries.ts'
import { Report } from './report.tsx'

const GROUPINGS = ['day', 'agent', 'model', 'tool'] as const

/** What the user has used in the last 30 days. */
export function UsageReport() {
  const { t, language } = useTranslate()
  const [by, setBy] = useState<(typeof GROUPINGS)[number]>('day')
  const { data, error, refetch } = useReport(`usage ${by}`, () =>
    client.call('GET /v1/usage', { query: { by } }),
  )
  const choice = (
    <select
      className="field"
      aria-label={t('operate.usageBy')}
      value={by}
      onChange={(event) => setBy(event.target.value as typeof by)}
    >
      {GROUPINGS.map((each) => (
        <option key={each} value={each}>
          {t(`operate.by.${each}`)}
        </option>
      ))}
    </select>
  )
  const number = (value: number): string => formatNumber(value, language)
  return (
    <Report title={t('operate.usage')} actions={choice}>
      {error && <LoadError error={error} onRetry={() => void refetch()} />}
      {data && (
        <p className="quiet">
          {t('operate.usageTotal', {
            runs: data.total.runs,
            calls: number(data.total.toolCalls),
            input: number(data.total.inputTokens),
            output: number(data.total.outputTokens),
          })}
        </p>
      )}
      {data && <UsageBars groups={data.groups.filter(({ runs }) => runs > 0)} />}
    </Report>
  )
}

/** A bar for the tokens of each group, and its numbers. */
function UsageBars({ groups }: { readonly groups: Usage['groups'] }) {
  const { t, language } = useTranslate()
  const tokensOf = ({ inputTokens, outputTokens }: Usage['groups'][number]): number =>
    inputTokens + outputTokens
  const max = Math.max(1, ...groups.map(tokensOf))
  return (
    <table className="usage-bars">
      <tbody>
        {groups.map((group) => (
          <tr key={group.name}>
            <th scope="row">{group.name}</th>
            <td aria-hidden>
              <span style={{ width: `${(100 * tokensOf(group)) / max}%` }} />
            </td>
            <td>
              {t('operate.groupUsage', {
                runs: group.runs,
                tokens: formatNumber(tokensOf(group), language),
              })}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** The limits of the user, and what is left of them. */
export function QuotaReport() {
  const { t, language } = useTranslate()
  const { data } = useReport('quota', () => client.call('GET /v1/quota'))
  if (!data) return null
  return (
    <Report title={t('operate.quotas')}>
      {data.limits.length === 0 && <p className="quiet">{t('operate.noQuota')}</p>}
      {data.limits.map(({ agent, period, unit, limit, used, resetAt }) => (
        <label key={`${agent} ${period} ${unit}`} className="quota">
          <span>
            {t(`operate.${unit}.${period}`)}
            {agent !== undefined && ` · ${agent}`}
          </span>
          <meter min={0} max={limit} high={limit * 0.8} optimum={0} value={used} />
          <span className="quiet">
            {t('operate.quotaUsed', {
              used: formatNumber(used, language),
              limit: formatNumber(limit, language),
              at: new Date(resetAt).toLocaleString(language),
            })}
          </span>
        </label>
      ))}
      <StorageMeter {...data.storage} />
    </Report>
  )
}

/** What the user stores. */
function StorageMeter({ used, limit }: Quota['storage']) {
  const { t, language } = useTranslate()
  const size = formatBytes(used, language)
  return (
    <label className="quota">
      <span>{t('operate.storage')}</span>
      {limit !== null && <meter min={0} max={limit} high={limit * 0.8} optimum={0} value={used} />}
      <span className="quiet">
        {limit === null
          ? size
          : t('operate.storageUsed', { used: size, limit: formatBytes(limit, language) })}
      </span>
    </label>
  )
}
