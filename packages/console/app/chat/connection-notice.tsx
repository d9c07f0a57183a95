import { useEffect, useState } from 'react'

import { useTranslate } from '../i18n/translate.tsx'
import type { LiveRun, ModelWait } from './live-run.ts'

/** So long the page says that a connection is back, after the answer has ended. */
const RESTORED_NOTICE_MS = 8000

/** Failures of a provider that has too much to do. */
const BUSY: ReadonlySet<string> = new Set(['rate-limited', 'model-overloaded'])

type ConnectionNoticeProps = {
  readonly runs: readonly LiveRun[]
  readonly isServerReachable: boolean
}

/** Says quietly that the connection is lost, or that an answer has continued after it. */
export function ConnectionNotice({ runs, isServerReachable }: ConnectionNoticeProps) {
  const { t } = useTranslate()
  const active = runs.filter(({ state }) => state === 'active')
  const wait = active.find(({ modelWait }) => modelWait !== undefined)?.modelWait
  const wasRestored = useRecentRestoration(runs.some(({ connection }) => connection === 'restored'))
  const text = (): string | undefined => {
    if (!isServerReachable || active.some(({ connection }) => connection === 'lost'))
      return t('connection.lost')
    if (wait)
      return t(BUSY.has(wait.code) ? 'connection.modelBusy' : 'connection.modelFailed', secondsOf(wait))
    return wasRestored ? t('connection.restored') : undefined
  }
  const notice = text()
  return (
    <div role="status" aria-live="polite">
      {notice !== undefined && <p className="notice calm">{notice}</p>}
    </div>
  )
}

function secondsOf({ retryAfter, attempt, attempts }: ModelWait) {
  return { seconds: Math.ceil(retryAfter), attempt, attempts }
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
