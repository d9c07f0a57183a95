import type { PageProps } from '@dragoman/console/view'
import { lazy, Suspense, useState } from 'react'

import { Board } from './board/board.tsx'
import css from './jobs.css?inline'
import { PageContext, usePage, type TextKey } from './page-context.ts'
import { PageLink } from './page-parts.tsx'

const AddDialog = lazy(() => import('./add/add-dialog.tsx'))
const PostingTable = lazy(() => import('./board/posting-table.tsx'))
const PostingView = lazy(() => import('./posting/posting-view.tsx'))
const TailoredView = lazy(() => import('./tailored/tailored-view.tsx'))
const ResumeList = lazy(() => import('./resumes/resume-list.tsx'))
const ResumeView = lazy(() => import('./resumes/resume-view.tsx'))
const Insights = lazy(() => import('./insights/insights.tsx'))
const FollowUps = lazy(() => import('./insights/follow-ups.tsx'))

const TABS: readonly { readonly path: string; readonly label: TextKey }[] = [
  { path: '', label: 'tab.board' },
  { path: 'table', label: 'tab.table' },
  { path: 'resumes', label: 'tab.resumes' },
  { path: 'insights', label: 'tab.insights' },
  { path: 'follow-ups', label: 'tab.followUps' },
]

/** The postings of a user on a board, with everything that belongs to them. */
export default function JobsPage(props: PageProps) {
  return (
    <PageContext value={props}>
      <style href="jobs-page" precedence="low">
        {css}
      </style>
      <div className="jobs-page">
        <Tabs />
        <Suspense fallback={<div aria-busy />}>
          <View />
        </Suspense>
      </div>
    </PageContext>
  )
}

function Tabs() {
  const { t, path, open } = usePage()
  const [isAdding, setAdding] = useState(false)
  const current = TABS.find((tab) => tab.path !== '' && path.startsWith(tab.path)) ?? TABS[0]
  // The bookmarklet opens this path.
  const isReceiving = path === 'add' && (window.opener !== null || location.hash !== '')
  const close = (): void => {
    setAdding(false)
    if (path === 'add') open('')
  }
  return (
    <nav className="jobs-tabs" aria-label={t('tabs')}>
      {TABS.map((tab) => (
        <PageLink key={tab.path} to={tab.path} className={tab === current ? 'jobs-tab current' : 'jobs-tab'}>
          {t(tab.label)}
        </PageLink>
      ))}
      <button type="button" className="button primary" onClick={() => setAdding(true)}>
        {t('add.title')}
      </button>
      {(isAdding || path === 'add') && (
        <Suspense>
          <AddDialog isReceiving={isReceiving} onClose={close} />
        </Suspense>
      )}
    </nav>
  )
}

/** The part of the page that the path names. */
function View() {
  const { path } = usePage()
  const [part, id = '', subpart, subId = ''] = path.split('/')
  switch (part) {
    case 'table':
      return <PostingTable />
    case 'postings':
      return subpart === 'tailored' ? (
        <TailoredView key={path} jobId={id} versionId={subId} />
      ) : (
        <PostingView key={id} id={id} />
      )
    case 'resumes':
      return id === '' ? <ResumeList /> : <ResumeView key={id} id={id} />
    case 'insights':
      return <Insights />
    case 'follow-ups':
      return <FollowUps />
    default:
      return <Board />
  }
}
