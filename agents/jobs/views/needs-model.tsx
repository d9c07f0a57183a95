import { usePage } from './page-context.ts'

/** Says why a model cannot be asked, and where to connect one. */
export function NeedsModel() {
  const { t } = usePage()
  return (
    <p className="quiet">
      {t('model.missing')} <a href="/console/models">{t('model.connect')}</a>
    </p>
  )
}
