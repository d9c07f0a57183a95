import { useState } from 'react'
import { useLocation } from 'wouter'

import type { WelcomeProps } from '../../src/view.ts'
import { loadAgents, useAgents, useIsGuest } from '../api/queries.ts'
import type { Agent, Json, UserPart } from '../api/types.ts'
import { useTranslate } from '../i18n/translate.tsx'
import { PageHeader } from '../layout/page-header.tsx'
import { modelWords } from '../models/model-words.ts'
import { LoadError } from '../ui/notices.tsx'
import { consoleKit } from '../views/console-kit.tsx'
import { agentTexts } from '../views/agent-views.ts'
import { ViewModule } from '../views/view-module.tsx'
import { Composer } from './composer.tsx'
import { DemoNotice } from './demo-notice.tsx'
import { ModelMenu } from './model-menu.tsx'
import { startThread } from './start-thread.ts'
import './chat.css'
import './new-chat.css'

const STORAGE_KEY = 'dragoman.agent'
const MAX_PROMPTS = 4

/** For the agent, with the first message. */
type Context = { readonly [key: string]: Json } | undefined

/** Chooses an agent and says the first message to it. */
export function NewChatPage() {
  const { t } = useTranslate()
  const { data: agents = [], error, refetch } = useAgents()
  const [chosenId, setChosenId] = useState(() => localStorage.getItem(STORAGE_KEY))
  const agent = chooseAgent(agents, chosenId)
  const [context, setContext] = useState<Context>()
  const [model, setModel] = useState<string | null>(null)
  const isGuest = useIsGuest()
  const start = useThreadStart({ chosenId, model, context })
  const choose = (id: string): void => {
    localStorage.setItem(STORAGE_KEY, id)
    setContext(undefined)
    setModel(null)
    setChosenId(id)
  }
  return (
    <main className="chat new-chat">
      <PageHeader title={t('nav.newChat')} />
      <div className="welcome">
        {error && <LoadError error={error} onRetry={() => void refetch()} />}
        {agents.length > 1 && (
          <div className="agent-choice" role="radiogroup" aria-label={t('agents.choose')}>
            {agents.map((each) => (
              <AgentCard
                key={each.id}
                agent={each}
                isChosen={each === agent}
                onChoose={() => choose(each.id)}
              />
            ))}
          </div>
        )}
        {agent && (
          <AgentIntroduction
            agent={agent}
            setContext={setContext}
            onPrompt={(text) => void start([{ type: 'text', text }])}
          />
        )}
      </div>
      <div className="composer-area">
        <Composer threadId={undefined} isBusy={false} onFirstMessage={start}>
          {agent && !isGuest && <ModelMenu agent={agent} chosen={model} onChoose={setModel} />}
        </Composer>
      </div>
    </main>
  )
}

function chooseAgent(agents: readonly Agent[], id: string | null): Agent | undefined {
  return agents.find((agent) => agent.id === id) ?? agents[0]
}

type Start = {
  readonly chosenId: string | null
  readonly model: string | null
  readonly context: Context
}

/** Opens a thread, sends its first message, and shows it. */
function useThreadStart({ chosenId, model, context }: Start): (parts: readonly UserPart[]) => Promise<void> {
  const [, navigate] = useLocation()
  return async (parts) => {
    const agent = chooseAgent(await loadAgents(), chosenId)
    navigate(`/console/threads/${await startThread({ agent: agent?.id, parts, model, context })}`)
  }
}

type AgentCardProps = { readonly agent: Agent; readonly isChosen: boolean; readonly onChoose: () => void }

function AgentCard({ agent, isChosen, onChoose }: AgentCardProps) {
  const { t, language } = useTranslate()
  const { name, description } = agentTexts(agent, language)
  return (
    <label className="agent-card" data-chosen={isChosen}>
      <input type="radio" name="agent" className="visually-hidden" checked={isChosen} onChange={onChoose} />
      <strong>{name}</strong>
      <span className="quiet">{agent.ready ? description : t('agents.notReady')}</span>
    </label>
  )
}

type IntroductionProps = {
  readonly agent: Agent
  readonly setContext: (context: Context) => void
  readonly onPrompt: (text: string) => void
}

function AgentIntroduction({ agent, setContext, onPrompt }: IntroductionProps) {
  const { t, language } = useTranslate()
  const { model, prompts, ready, notes, views } = agent
  const welcome = views.find(({ kind }) => kind === 'welcome')
  const props: WelcomeProps = { language, kit: consoleKit, setContext }
  return (
    <section className="introduction">
      <h2>{agentTexts(agent, language).name}</h2>
      <p className="quiet">{model.demo ? <DemoNotice /> : modelWords(model, t)}</p>
      {welcome && <ViewModule key={agent.id} module={welcome.module} props={props} />}
      {!ready && notes.length > 0 && (
        <p className="notice" lang="en">
          {notes.join(' ')}
        </p>
      )}
      {prompts.length > 0 && (
        <ul className="prompts" aria-label={t('agents.prompts')}>
          {prompts.slice(0, MAX_PROMPTS).map((prompt) => (
            <li key={prompt.en}>
              <button type="button" className="prompt" onClick={() => onPrompt(prompt[language])}>
                {prompt[language]}
              </button>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
