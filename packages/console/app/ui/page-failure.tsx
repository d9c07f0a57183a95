import { useTranslate } from '../i18n/translate.tsx'

/** In place of a page that cannot be shown, for example because an upgrade has replaced its files. */
export function PageFailure() {
  const { t } = useTranslate()
  return (
    <main className="page">
      <div className="page-body">
        <p className="notice error" role="alert">
          {t('failure.page')}
        </p>
        <button type="button" className="button" onClick={() => location.reload()}>
          {t('failure.reload')}
        </button>
      </div>
    </main>
  )
}
