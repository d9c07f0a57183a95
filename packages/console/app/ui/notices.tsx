import { RequestError } from '../api/request.ts'
import { useTranslate } from '../i18n/translate.tsx'

/** Why something could not be loaded, with a way to try again. */
export function LoadError({ error, onRetry }: { readonly error: Error; readonly onRetry: () => void }) {
  const { t } = useTranslate()
  const isUnreachable = error instanceof RequestError && error.status === 0
  return (
    <div className="notice error" role="alert">
      <span>{isUnreachable ? t('error.unreachable') : error.message}</span>
      <button type="button" className="button" onClick={onRetry}>
        {t('tryAgain')}
      </button>
    </div>
  )
}
