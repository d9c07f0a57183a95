import { Link } from 'wouter'

import { useAgents, useQuestions } from '../api/queries.ts'
import type { Question } from '../api/types.ts'
import { QuestionForm } from '../chat/question-form.tsx'
import { formatAge } from '../i18n/format.ts'
import { useTranslate } from '../i18n/translate.tsx'
import { PageHeader } from '../layout/page-header.tsx'
import { LoadError } from '../ui/notices.tsx'
import { agentTexts } from '../views/agent-views.ts'
import '../chat/tool-card.css'

/** Everything that waits for an answer of the user, in whatever client it was asked. */
export function InboxPage() {
  const { t } = useTranslate()
  const { data: questions = [], error, refetch, isPending } = useQuestions()
  return (
    <main className="page">
      <PageHeader title={t('nav.inbox')} />
      <div className="page-body">
        {error && <LoadError error={error} onRetry={() => void refetch()} />}
        {!isPending && !error && questions.length === 0 && <p className="quiet">{t('inbox.empty')}</p>}
        {questions.map((question) => (
          <QuestionCard key={`${question.runId} ${question.callId}`} question={question} />
        ))}
      </div>
    </main>
  )
}

function QuestionCard({ question }: { readonly question: Question }) {
  const { t, language } = useTranslate()
  const { data: agents = [] } = useAgents()
  const { runId, callId, threadId, tool, input, kind, message, schema, preview, askedAt, expiresAt } =
    question
  const offered = agents.find(({ id }) => id === question.agent)
  const agent = offered ? agentTexts(offered, language).name : question.agent
  return (
    <section className="card tool asked" aria-label={tool}>
      <header className="inbox-tool">
        <strong>{tool}</strong>
        <span className="tool-input quiet">
          {agent} · {formatAge(askedAt, language)}
          {expiresAt !== null &&
            ` · ${t('inbox.expires', { at: new Date(expiresAt).toLocaleString(language) })}`}
        </span>
      </header>
      <QuestionForm
        runId={runId}
        callId={callId}
        kind={kind}
        message={message}
        schema={schema}
        preview={preview}
        input={input}
      />
      {threadId !== null && (
        <p className="inbox-link">
          <Link href={`/console/threads/${threadId}`}>{t('inbox.openThread')}</Link>
        </p>
      )}
    </section>
  )
}
