import type { PageProps } from '@dragoman/console/view'
import type { MouseEvent } from 'react'

import { ChartTab } from './chart-tab.tsx'
import { MemoryTab } from './memory-tab.tsx'
import css from './page.css?inline'
import { PrivacyTab } from './privacy-tab.tsx'
import { ProfileTab } from './profile-tab.tsx'
import { TodayTab } from './today-tab.tsx'
import { translatorOf } from './translator.ts'

const TABS = [
  { path: '', label: 'tab.today', Tab: TodayTab },
  { path: 'chart', label: 'tab.chart', Tab: ChartTab },
  { path: 'profile', label: 'tab.profile', Tab: ProfileTab },
  { path: 'memory', label: 'tab.memory', Tab: MemoryTab },
  { path: 'privacy', label: 'tab.privacy', Tab: PrivacyTab },
] as const

/** Today, the chart, and everything that the agent keeps of its user. */
export default function LifePage(props: PageProps) {
  const { language, path, open, hrefOf } = props
  const t = translatorOf(language)
  const current = TABS.find((tab) => tab.path === path) ?? TABS[0]
  const { Tab } = current
  const openHere = (event: MouseEvent, to: string): void => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return
    event.preventDefault()
    open(to)
  }
  return (
    <div className="page-body life-page">
      <style href="life-page" precedence="low">
        {css}
      </style>
      <nav className="life-tabs" aria-label={t('tabs')}>
        {TABS.map(({ path: to, label }) => (
          <a
            key={to}
            href={hrefOf(to)}
            onClick={(event) => openHere(event, to)}
            {...(to === current.path && { 'aria-current': 'page' as const })}
          >
            {t(label)}
          </a>
        ))}
      </nav>
      <Tab key={current.path} {...props} />
    </div>
  )
}
