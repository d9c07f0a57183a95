import { Link } from 'wouter'

import { useTranslate } from '../i18n/translate.tsx'
import { PageHeader } from './page-header.tsx'

export function NotFoundPage({ note }: { readonly note?: string }) {
  const { t } = useTranslate()
  return (
    <main className="page">
      <PageHeader title={t('notFound.title')} />
      <div className="page-body">
        <p>{note ?? t('notFound.note')}</p>
        <Link href="/">{t('nav.newChat')}</Link>
      </div>
    </main>
  )
}
