import { useQuery } from '@tanstack/react-query'
import { BookOpen, LogOut, Settings2 } from 'lucide-react'
import { useState } from 'react'

import { request, send } from '../api/request.ts'
import { languages, type Language } from '../i18n/languages.ts'
import { chooseLanguage, useTranslate } from '../i18n/translate.tsx'
import { Menu, MenuChoice, MenuItem, MenuSeparator } from '../ui/menu.tsx'
import { applyTheme, storedTheme, themes, type Theme } from '../ui/theme.ts'

/** Language, theme, the list of routes, and signing out. */
export function SettingsMenu() {
  const { t, language } = useTranslate()
  const [theme, setTheme] = useState(storedTheme)
  const isSignedIn = useSignedIn()
  return (
    <Menu
      align="start"
      trigger={
        <button type="button" className="nav-item">
          <Settings2 size={17} aria-hidden />
          <span>{t('settings.title')}</span>
        </button>
      }
    >
      <MenuChoice
        label={t('settings.language')}
        value={language}
        options={Object.entries(languages).map(([value, { name }]) => ({ value, label: name }))}
        onChoose={(value) => void chooseLanguage(value as Language)}
      />
      <MenuSeparator />
      <MenuChoice
        label={t('settings.theme')}
        value={theme}
        options={themes.map((value) => ({ value, label: t(`settings.theme.${value}`) }))}
        onChoose={(value) => {
          setTheme(value as Theme)
          applyTheme(value as Theme)
        }}
      />
      <MenuSeparator />
      <MenuItem icon={<BookOpen size={16} aria-hidden />} onSelect={() => location.assign('/docs')}>
        {t('settings.routes')}
      </MenuItem>
      {isSignedIn && (
        <MenuItem icon={<LogOut size={16} aria-hidden />} onSelect={() => void signOut()}>
          {t('signIn.signOut')}
        </MenuItem>
      )}
    </Menu>
  )
}

/** Whether a token identifies the user: a server for this machine alone needs none. */
function useSignedIn(): boolean {
  const { data } = useQuery({
    queryKey: ['caller'],
    queryFn: () => request<{ name?: string | null }>('/auth/verify'),
    staleTime: 60_000,
  })
  return typeof data?.name === 'string'
}

async function signOut(): Promise<void> {
  await send('/auth/sign-out', { method: 'POST' })
  sessionStorage.clear()
  location.assign('/')
}
