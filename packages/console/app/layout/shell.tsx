import { lazy, Suspense, useEffect, useState, useSyncExternalStore, type ReactNode } from 'react'
import { useLocation } from 'wouter'

import { useTranslate } from '../i18n/translate.tsx'
import { isNarrowNow, onNarrowChange } from './narrow.ts'
import { openNavigation, useNavigationOpen } from './navigation-state.ts'
import { Sidebar } from './sidebar.tsx'

const CommandPalette = lazy(() =>
  import('./command-palette.tsx').then(({ CommandPalette: palette }) => ({ default: palette })),
)
const Dialog = lazy(() => import('../ui/dialog.tsx').then(({ Dialog: dialog }) => ({ default: dialog })))

/** Navigation at the left, the page at the right. On a narrow screen the navigation is a drawer. */
export function Shell({ children }: { readonly children: ReactNode }) {
  const { t } = useTranslate()
  const isNarrow = useSyncExternalStore(onNarrowChange, isNarrowNow)
  const isOpen = useNavigationOpen()
  const [isPaletteOpen, setPaletteOpen] = useState(false)
  const [location] = useLocation()
  useEffect(() => openNavigation(false), [location])
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.key !== 'k' || !(event.metaKey || event.ctrlKey)) return
      event.preventDefault()
      setPaletteOpen(true)
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [])
  const sidebar = <Sidebar onSearch={() => setPaletteOpen(true)} />
  return (
    <div className="shell">
      {!isNarrow && sidebar}
      {isNarrow && isOpen && (
        <Suspense>
          <Dialog kind="drawer" isOpen title={t('nav.title')} onClose={() => openNavigation(false)}>
            {sidebar}
          </Dialog>
        </Suspense>
      )}
      {children}
      {isPaletteOpen && (
        <Suspense>
          <CommandPalette onClose={() => setPaletteOpen(false)} />
        </Suspense>
      )}
    </div>
  )
}
