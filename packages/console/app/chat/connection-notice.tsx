import { useEffect, useState } from 'react'

import { useTranslate } from '../i18n/translate.tsx'
import type { LiveRun } from './live-runs.ts'

/** So long the page says that a connection is back, after the answer has ended. */
const RESTORED_NOTICE_MS = 8000

type ConnectionNoticeProps = {
  readonly runs: readonly LiveRun[]
  readonly isServerReachable: boolean
}

/** Says quietly that the connection is lost, or that an answer has continued after it. */
export function ConnectionNotice({ runs, isServerReachable }: ConnectionNoticeProps) {
  const { t } = useTranslate()
  const active = runs.filter(({ state }) => state === 'active')
  const waitingFor = active.find((run) => run.waitingFor !== undefined)?.waitingFor
  const wasRestored = useRecentRestoration(runs.some(({ connection }) => connection === 'restored'))
  const text = (): string | undefined => {
    if (!isServerReachable || active.some(({ connection }) => connection === 'lost'))
      return t('connection.lost')
    if (waitingFor !== undefined) return t('connection.modelWait', { seconds: waitingFor })
    return wasRestored ? t('connection.restored') : undefined
  }
  const notice = text()
  return (
    <div role="status" aria-live="polite">
      {notice !== undefined && <p className="notice calm">{notice}</p>}
    </div>
  )
}

function useRecentRestoration(isRestored: boolean): boolean {
  const [isRecent, setRecent] = useState(false)
  useEffect(() => {
    if (isRestored) setRecent(true)
  }, [isRestored])
  useEffect(() => {
    if (!isRecent || isRestored) return undefined
    const timer = setTimeout(() => setRecent(false), RESTORED_NOTICE_MS)
    return () => clearTimeout(timer)
  }, [isRecent, isRestored])
  return isRecent
}
