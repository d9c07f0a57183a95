import { usePage } from './page-context.ts'

/** Says why a model cannot be asked, and where to connect one. */
export function NeedsModel() {
  const { t, kit } = usePage()
  return (
    <p className="quiet">
      {t('model.missing')} <a href={kit.url('/console/models')}>{t('model.connect')}</a>
    </p>
  )
}
