import { Link } from 'wouter'

import type { AssistantMessage } from '../api/types.ts'
import { useTranslate } from '../i18n/translate.tsx'
import { useProviders } from '../models/provider.ts'

/** Failures that another key, address or model can end. */
const ABOUT_MODELS: ReadonlySet<string> = new Set([
  'model-unauthorized',
  'model-missing',
  'model-refused',
  'model-failed',
])

type FailureNoticeProps = {
  readonly failure: NonNullable<AssistantMessage['failure']>
  /** Asks again, where that is possible. */
  readonly onRetry: (() => void) | undefined
}

/** Why an answer has failed, and what helps. */
export function FailureNotice({ failure, onRetry }: FailureNoticeProps) {
  const { t } = useTranslate()
  return (
    <div className="notice error" role="alert">
      <p>{failure.message}</p>
      {ABOUT_MODELS.has(failure.code) && <ModelHelp />}
      {onRetry && (
        <button type="button" className="button small" onClick={onRetry}>
          {t('tryAgain')}
        </button>
      )}
    </div>
  )
}

function ModelHelp() {
  const { t } = useTranslate()
  const { data } = useProviders()
  if (!data) return null
  return (
    <p>{data.mayChange ? <Link href="/console/models">{t('models.check')}</Link> : t('models.askOwner')}</p>
  )
}
