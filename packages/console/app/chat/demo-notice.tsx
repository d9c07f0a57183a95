import { Link } from 'wouter'

import { useIsGuest } from '../api/queries.ts'
import { useTranslate } from '../i18n/translate.tsx'

/** Says that the demo model answers, and to the owner how to change that. */
export function DemoNotice() {
  const { t } = useTranslate()
  const isGuest = useIsGuest()
  return (
    <>
      {t('model.demoNotice')} {!isGuest && <Link href="/console/models">{t('models.connect')}</Link>}
    </>
  )
}
