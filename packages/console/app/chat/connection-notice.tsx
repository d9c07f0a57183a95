import { useTranslate } from '../i18n/translate.tsx'
import type { LiveRun } from './live-runs.ts'

type ConnectionNoticeProps = {
  readonly runs: readonly LiveRun[]
  readonly isServerReachable: boolean
}

/** Says quietly that the connection is lost, or that an answer has continued after it. */
export function ConnectionNotice({ runs, isServerReachable }: ConnectionNoticeProps) {
  const { t } = useTranslate()
  const active = runs.filter(({ state }) => state === 'active')
  const waitingFor = active.find((run) => run.waitingFor !== undefined)?.waitingFor
  const text = (): string | undefined => {
    if (!isServerReachable || active.some(({ connection }) => connection === 'lost'))
      return t('connection.lost')
    if (waitingFor !== undefined) return t('connection.modelWait', { seconds: waitingFor })
    if (active.some(({ connection }) => connection === 'restored')) return t('connection.restored')
    return undefined
  }
  const notice = text()
  return (
    <div role="status" aria-live="polite">
      {notice !== undefined && <p className="notice calm">{notice}</p>}
    </div>
  )
}
