import { useState, type FormEvent } from 'react'
import { Link, useLocation } from 'wouter'

import { refreshThread, useAgents } from '../api/queries.ts'
import { client } from '../api/client.ts'
import { useTranslate } from '../i18n/translate.tsx'
import { PageHeader } from '../layout/page-header.tsx'
import { RecentRuns } from '../runs/recent-runs.tsx'
import { agentTexts } from '../views/agent-views.ts'
import { RunView } from './run-view.tsx'
import '../chat/tool-card.css'
import './inspector.css'

/** Starts a run, or opens one, and shows it in every protocol. */
export function InspectorPage({ runId }: { readonly runId: string | undefined }) {
  const { t } = useTranslate()
  return (
    <main className="page">
      <PageHeader title={t('nav.inspector')} />
      <div className="page-body wide">
        {runId === undefined ? (
          <Start />
        ) : (
          <>
            <Link href="/console/inspect">{t('inspector.all')}</Link>
            <RunView runId={runId} />
          </>
        )}
      </div>
    </main>
  )
}

function Start() {
  const { t } = useTranslate()
  return (
    <>
      <p className="quiet">{t('inspector.note')}</p>
      <div className="inspector-start">
        <StartForm />
        <OpenForm />
      </div>
      <h2 className="inspector-heading">{t('inspector.recent')}</h2>
      <RecentRuns />
    </>
  )
}

function StartForm() {
  const { t, language } = useTranslate()
  const [, navigate] = useLocation()
  const { data: agents = [] } = useAgents()
  const [chosenId, setChosenId] = useState<string>()
  const agent = agents.find(({ id }) => id === chosenId) ?? agents[0]
  const [text, setText] = useState('')
  const [problem, setProblem] = useState<string>()
  const start = async (event: FormEvent): Promise<void> => {
    event.preventDefault()
    try {
      const { id } = await client.call('POST /v1/threads', { body: agent ? { agent: agent.id } : {} })
      const response = await client.send('POST /v1/threads/{id}/runs', {
        path: { id },
        body: { message: text },
      })
      await response.body?.cancel()
      await refreshThread(id)
      navigate(`/console/inspect/${response.headers.get('x-run-id') ?? ''}`)
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error))
    }
  }
  return (
    <form className="inspector-form" onSubmit={(event) => void start(event)}>
      <h2>{t('inspector.start')}</h2>
      <label>
        {t('inspector.agent')}
        <select className="field" value={agent?.id} onChange={(event) => setChosenId(event.target.value)}>
          {agents.map((each) => (
            <option key={each.id} value={each.id}>
              {agentTexts(each, language).name}
            </option>
          ))}
        </select>
      </label>
      <label>
        {t('inspector.message')}
        <input
          className="field"
          value={text}
          placeholder={agent?.prompts[0]?.[language]}
          onChange={(event) => setText(event.target.value)}
        />
      </label>
      {problem !== undefined && (
        <p className="notice error" role="alert">
          {problem}
        </p>
      )}
      <button type="submit" className="button primary" disabled={text.trim() === ''}>
        {t('inspector.startButton')}
      </button>
    </form>
  )
}

function OpenForm() {
  const { t } = useTranslate()
  const [, navigate] = useLocation()
  const [id, setId] = useState('')
  return (
    <form
      className="inspector-form"
      onSubmit={(event) => {
        event.preventDefault()
        navigate(`/console/inspect/${encodeURIComponent(id.trim())}`)
      }}
    >
      <h2>{t('inspector.open')}</h2>
      <label>
        {t('inspector.runId')}
        <input
          className="field"
          value={id}
          placeholder="run_…"
          onChange={(event) => setId(event.target.value)}
        />
      </label>
      <button type="submit" className="button" disabled={id.trim() === ''}>
        {t('inspector.openButton')}
      </button>
    </form>
  )
}
