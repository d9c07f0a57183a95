import { visibleText } from '@dragoman/client/visible-text'
import { createContext, useContext } from 'react'

import type { ToolCardProps } from '../../src/view.ts'
import { useAgents } from '../api/queries.ts'
import type { AssistantPart, Json, View } from '../api/types.ts'
import { useTranslate } from '../i18n/translate.tsx'
import { consoleKit } from './console-kit.tsx'
import { ViewModule } from './view-module.tsx'

type ToolPart = Extract<AssistantPart, { type: 'tool' }>

export type CardContextValue = {
  readonly agent: string | undefined
  readonly send: ToolCardProps['send']
}

/** What the cards of an agent need of their thread. */
export const CardContext = createContext<CardContextValue>({ agent: undefined, send: undefined })

/** The card that the agent has for a call of its tool, if it has one that shows the call in its state. */
export function useAgentCard(part: ToolPart): View | undefined {
  const { agent: agentId } = useContext(CardContext)
  const { data: agents = [] } = useAgents()
  const views = agents.find(({ id }) => id === agentId)?.views ?? []
  const view = views.find(({ tools = [] }) => tools.includes(part.tool))
  const isShown = view?.isLive ? part.input !== undefined : part.output !== undefined
  return isShown ? view : undefined
}

type AgentCardProps = { readonly view: View; readonly part: ToolPart }

/** A card of an agent. Nothing is shown if it cannot be loaded. */
export function AgentCard({ view, part }: AgentCardProps) {
  const { send } = useContext(CardContext)
  const { language } = useTranslate()
  const { tool, output = null, progress } = part
  // A card of what waits for a person must hide nothing of it.
  const input = part.state === 'asked' ? visibleInput(part.input ?? null) : (part.input ?? null)
  const props: ToolCardProps = {
    tool,
    input,
    output,
    state: stateOf(part),
    progress,
    language,
    kit: consoleKit,
    send,
  }
  return (
    <div className="tool-view">
      <ViewModule module={view.module} props={props} />
    </div>
  )
}

function visibleInput(value: Json): Json {
  if (typeof value === 'string') return visibleText(value)
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(visibleInput)
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, visibleInput(each)]))
}

function stateOf({ state }: ToolPart): ToolCardProps['state'] {
  switch (state) {
    case 'returned':
    case 'failed':
      return state
    case 'input':
    case 'asked':
      return 'waiting'
    case 'called':
    case 'answered':
    case 'executing':
      return 'running'
  }
}
