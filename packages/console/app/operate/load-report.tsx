import type { Load } from '@dragoman/client/v1'
import { client } from '../api/client.ts'
import { formatBytes, formatNumber } from '../i18n/format.ts'
import type { Language } from '../i18n/languages.ts'
import { useTranslate } from '../i18n/translate.tsx'
import { LoadError } from '../ui/notices.tsx'
import { useReport, type LoadKind } from './queries.ts'
import { Report } from './report.tsx'

const POOLS = ['users', 'guests', 'addresses'] as const

/** What callers hold of the server, for its owner. */
export function LoadReport() {
  const { t, language } = useTranslate()
  const { data, error, isForbidden, refetch } = useReport('load', () => client.call('GET /v1/load'))
  if (isForbidden) return null
  const kinds = Map.groupBy(data?.load ?? [], ({ kind }) => kind)
  return (
    <Report title={t('operate.load')}>
      {error && <LoadError error={error} onRetry={() => void refetch()} />}
      <div className="report-table" tabIndex={0} role="region" aria-label={t('operate.load')}>
        <table>
          <thead>
            <tr>
              <th scope="col">{t('operate.load.kind')}</th>
              {POOLS.map((pool) => (
                <th key={pool} scope="col">
                  {t(`operate.load.${pool}`)}
                </th>
              ))}
              <th scope="col">{t('operate.load.refusals')}</th>
            </tr>
          </thead>
          <tbody>
            {Array.from(kinds, ([kind, totals]) => (
              <tr key={kind}>
                <th scope="row">{t(`operate.load.kind.${kind as LoadKind}`)}</th>
                {POOLS.map((pool) => (
                  <td key={pool}>
                    {formatTotal(
                      totals.find((total) => total.pool === pool),
                      language,
                    )}
                  </td>
                ))}
                <td>
                  {formatNumber(
                    totals.reduce((sum, { refusals }) => sum + refusals, 0),
                    language,
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Report>
  )
}

/** What is used, and the limit if there is one. A pool without places has nothing of the kind. */
function formatTotal(total: Load | undefined, language: Language): string {
  if (!total || total.limit === 0) return '–'
  const format = /bytes/i.test(total.kind) ? formatBytes : formatNumber
  const used = format(total.used, language)
  return total.limit === null ? used : `${used} / ${format(total.limit, language)}`
}
