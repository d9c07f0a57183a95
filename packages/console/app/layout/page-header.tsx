import { Menu as MenuIcon } from 'lucide-react'
import { useEffect, type ReactNode } from 'react'

import { useTranslate } from '../i18n/translate.tsx'
import { openNavigation } from './navigation-state.ts'

/** The title of a page and what can be done with it. On a narrow screen it opens the navigation. */
export function PageHeader({ title, children }: { readonly title: string; readonly children?: ReactNode }) {
  const { t } = useTranslate()
  useEffect(() => {
    document.title = `${title} · dragoman`
  }, [title])
  return (
    <header className="page-header">
      <button
        type="button"
        className="icon-button only-narrow"
        aria-label={t('nav.open')}
        onClick={() => openNavigation(true)}
      >
        <MenuIcon size={19} aria-hidden />
      </button>
      <h1 title={title}>{title}</h1>
      {children}
    </header>
  )
}
