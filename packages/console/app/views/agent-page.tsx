import { useLocation } from 'wouter'

import type { PageProps } from '../../src/view.ts'
import { useAgents } from '../api/queries.ts'
import { startThread } from '../chat/start-thread.ts'
import { useTranslate } from '../i18n/translate.tsx'
import { NotFoundPage } from '../layout/not-found-page.tsx'
import { PageHeader } from '../layout/page-header.tsx'
import { consoleKit } from './console-kit.tsx'
import { ViewModule } from './view-module.tsx'
import { agentPagePath, titleIn } from './agent-views.ts'
import { serverUrl } from '../api/server-url.ts'

type AgentPageProps = { readonly agentId: string; readonly path: string }

/** The page of an agent. */
export function AgentPage({ agentId, path }: AgentPageProps) {
  const { t, language } = useTranslate()
  const [, navigate] = useLocation()
  const { data: agents, isPending } = useAgents()
  const view = agents?.find(({ id }) => id === agentId)?.views.find(({ kind }) => kind === 'page')
  if (isPending) return <main className="page" aria-busy />
  if (!view) return <NotFoundPage />
  const pathOf = (to: string): string => `${agentPagePath(agentId)}${to === '' ? '' : `/${to}`}`
  const props: PageProps = {
    language,
    kit: consoleKit,
    path,
    hrefOf: (to) => serverUrl(pathOf(to)),
    open: (to) => navigate(pathOf(to)),
    ask: async (text, context) => {
      const id = await startThread({ agent: agentId, parts: [{ type: 'text', text }], context })
      navigate(`/console/threads/${id}`)
    },
  }
  return (
    <main className="page">
      <PageHeader title={titleIn(view.title, language)} />
      <ViewModule
        module={view.module}
        props={props}
        fallback={<div className="page-body" aria-busy />}
        failure={<p className="page-body">{t('view.failed')}</p>}
      />
    </main>
  )
}
