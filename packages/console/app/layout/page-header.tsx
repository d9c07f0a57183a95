import { Menu as MenuIcon } from 'lucide-react'
import { useEffect, type ReactNode } from 'react'

import { useTranslate } from '../i18n/translate.tsx'
import { openNavigation } from './navigation-state.ts'
import { IconButton } from '../ui/icon-button.tsx'

/** The title of a page and what can be done with it. On a narrow screen it opens the navigation. */
export function PageHeader({ title, children }: { readonly title: string; readonly children?: ReactNode }) {
  const { t } = useTranslate()
  useEffect(() => {
    document.title = `${title} · dragoman`
  }, [title])
  return (
    <header className="page-header">
      <IconButton className="only-narrow" label={t('nav.open')} onClick={() => openNavigation(true)}>
        <MenuIcon size={19} aria-hidden />
      </IconButton>
      <h1 title={title}>{title}</h1>
      {children}
    </header>
  )
}
