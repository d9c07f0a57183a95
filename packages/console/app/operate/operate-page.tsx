import { Link } from 'wouter'

import { useAgents } from '../api/queries.ts'
import type { Agent } from '../api/types.ts'
import { useTranslate } from '../i18n/translate.tsx'
import { PageHeader } from '../layout/page-header.tsx'
import { modelWords, NO_MODEL } from '../models/model-words.ts'
import { RecentRuns } from '../runs/recent-runs.tsx'
import { agentTexts } from '../views/agent-views.ts'
import { LoadReport } from './load-report.tsx'
import { Report } from './report.tsx'
import { NodeReport, ServerFindings } from './server-report.tsx'
import { TokenReport } from './token-report.tsx'
import { QuotaReport, UsageReport } from './usage-report.tsx'
import { UserReport } from './user-report.tsx'
import './operate.css'

/** What this server does, what it costs, and what is wrong with it. */
export function OperatePage() {
  const { t } = useTranslate()
  return (
    <main className="page">
      <PageHeader title={t('operate.title')} />
      <div className="page-body operate">
        <Report title={t('operate.runs')}>
          <RecentRuns />
        </Report>
        <UsageReport />
        <QuotaReport />
        <AgentReport />
        <ServerFindings />
        <NodeReport />
        <LoadReport />
        <UserReport />
        <TokenReport />
      </div>
    </main>
  )
}

/** The agents with their models, and what they lack. */
function AgentReport() {
  const { t } = useTranslate()
  const { data: agents = [] } = useAgents()
  return (
    <Report title={t('operate.agents')} actions={<Link href="/console/models">{t('models.title')}</Link>}>
      <ul className="findings">
        {agents.map((agent) => (
          <AgentItem key={agent.id} agent={agent} />
        ))}
      </ul>
    </Report>
  )
}

function AgentItem({ agent }: { readonly agent: Agent }) {
  const { t, language } = useTranslate()
  const { ready, notes, model } = agent
  return (
    <li data-level={ready && model.name !== NO_MODEL ? (model.demo ? 'note' : 'ok') : 'problem'}>
      <strong>{agentTexts(agent, language).name}</strong>{' '}
      {model.demo ? t('model.demoNotice') : modelWords(model, t)}
      {!ready && <p>{t('agents.notReady')}</p>}
      {notes.map((note) => (
        <p key={note} className="quiet" lang="en">
          {note}
        </p>
      ))}
    </li>
  )
}
