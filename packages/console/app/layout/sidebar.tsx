import { Activity, Cpu, Gauge, Inbox, LayoutDashboard, Search, SquarePen } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link, useLocation } from 'wouter'

import { useAgents, useIsGuest, useQuestions } from '../api/queries.ts'
import { useTranslate } from '../i18n/translate.tsx'
import { ThreadList } from '../threads/thread-list.tsx'
import { agentPages } from '../views/agent-views.ts'
import { SettingsMenu } from './settings-menu.tsx'
import './sidebar.css'

/** The way to everything: a new chat, search, the inbox, and the threads. */
export function Sidebar({ onSearch }: { readonly onSearch: () => void }) {
  const { t, language } = useTranslate()
  const { data: questions = [] } = useQuestions()
  const { data: agents = [] } = useAgents()
  const isGuest = useIsGuest()
  return (
    <nav className="sidebar" aria-label={t('nav.title')}>
      <Link href="/" className="brand">
        <Logo />
        dragoman
      </Link>
      <NavLink href="/" icon={<SquarePen size={17} aria-hidden />}>
        {t('nav.newChat')}
      </NavLink>
      <button type="button" className="nav-item" onClick={onSearch}>
        <Search size={17} aria-hidden />
        <span>{t('nav.search')}</span>
        <kbd>{isApple ? '⌘K' : 'Ctrl K'}</kbd>
      </button>
      <NavLink href="/console/inbox" icon={<Inbox size={17} aria-hidden />}>
        {t('nav.inbox')}
        {questions.length > 0 && (
          <span className="badge" aria-label={t('inbox.count', { count: questions.length })}>
            {questions.length}
          </span>
        )}
      </NavLink>
      {agentPages(agents, language).map(({ path, title }) => (
        <NavLink key={path} href={path} icon={<LayoutDashboard size={17} aria-hidden />}>
          {title}
        </NavLink>
      ))}
      {!isGuest && (
        <>
          <NavLink href="/console/inspect" icon={<Activity size={17} aria-hidden />}>
            {t('nav.inspector')}
          </NavLink>
          <NavLink href="/console/operate" icon={<Gauge size={17} aria-hidden />}>
            {t('operate.title')}
          </NavLink>
          <NavLink href="/console/models" icon={<Cpu size={17} aria-hidden />}>
            {t('models.title')}
          </NavLink>
        </>
      )}
      <ThreadList />
      <SettingsMenu />
    </nav>
  )
}

const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent)

type NavLinkProps = { readonly href: string; readonly icon: ReactNode; readonly children: ReactNode }

function NavLink({ href, icon, children }: NavLinkProps) {
  const [location] = useLocation()
  const isCurrent = href === '/' ? location === '/' : location.startsWith(href)
  return (
    <Link href={href} className="nav-item" {...(isCurrent && { 'aria-current': 'page' as const })}>
      {icon}
      <span>{children}</span>
    </Link>
  )
}

function Logo() {
  return (
    <svg
      viewBox="0 0 32 32"
      width="22"
      height="22"
      fill="none"
      stroke="currentColor"
      strokeWidth="3"
      strokeLinecap="round"
      aria-hidden
    >
      <path d="M5 8h12M5 16h22M5 24h16" />
      <circle cx="23" cy="8" r="2.5" fill="currentColor" stroke="none" />
      <circle cx="27" cy="24" r="2.5" fill="currentColor" stroke="none" />
    </svg>
  )
}
