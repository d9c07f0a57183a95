import { BookOpen, CircleUser, LogIn, LogOut, Settings2 } from 'lucide-react'
import { useState } from 'react'
import { useLocation } from 'wouter'

import { useCaller } from '../api/queries.ts'
import { removeAllRecords } from '../api/local-records.ts'
import { send } from '../api/request.ts'
import { forgetUser } from '../api/session.ts'
import { forgetUnread } from '../api/unread.ts'
import { languages, type Language } from '../i18n/languages.ts'
import { chooseLanguage, useTranslate } from '../i18n/translate.tsx'
import { Menu, MenuChoice, MenuItem, MenuSeparator } from '../ui/menu.tsx'
import { applyTheme, storedTheme, themes, type Theme } from '../ui/theme.ts'
import { serverUrl } from '../api/server-url.ts'

/** Language, theme, the list of routes, and signing out. */
export function SettingsMenu() {
  const { t, language } = useTranslate()
  const [theme, setTheme] = useState(storedTheme)
  const [, navigate] = useLocation()
  const { data: caller } = useCaller()
  const isGuest = caller?.valid === true && caller.guest === true
  // A server for this machine alone needs no token.
  const isSignedIn = caller?.valid === true && caller.name !== null
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
      {isGuest ? (
        <MenuItem icon={<LogIn size={16} aria-hidden />} onSelect={() => navigate('/console/sign-in')}>
          {t('signIn.submit')}
        </MenuItem>
      ) : (
        <MenuItem
          icon={<BookOpen size={16} aria-hidden />}
          onSelect={() => location.assign(serverUrl('/docs'))}
        >
          {t('settings.routes')}
        </MenuItem>
      )}
      {isSignedIn && (
        <MenuItem icon={<CircleUser size={16} aria-hidden />} onSelect={() => navigate('/console/account')}>
          {t('account.title')}
        </MenuItem>
      )}
      {isSignedIn && (
        <MenuItem icon={<LogOut size={16} aria-hidden />} onSelect={() => void signOut()}>
          {t('signIn.signOut')}
        </MenuItem>
      )}
    </Menu>
  )
}

async function signOut(): Promise<void> {
  await send('/auth/sign-out', { method: 'POST' })
  await removeAllRecords()
  forgetUnread()
  forgetUser()
  location.assign(serverUrl('/'))
}
