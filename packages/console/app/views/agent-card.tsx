import { createContext, useContext } from 'react'

import type { ToolCardProps } from '../../src/view.ts'
import { useAgents } from '../api/queries.ts'
import type { AssistantPart } from '../api/types.ts'
import { useTranslate } from '../i18n/translate.tsx'
import { ViewModule } from './view-module.tsx'

type ToolPart = Extract<AssistantPart, { type: 'tool' }>

export type CardContextValue = {
  readonly agent: string | undefined
  readonly send: ToolCardProps['send']
}

/** What the cards of an agent need of their thread. */
export const CardContext = createContext<CardContextValue>({ agent: undefined, send: undefined })

/** The card that the agent has for a call of its tool, if it has one that can be loaded. */
export function AgentCard({ part }: { readonly part: ToolPart }) {
  const { agent: agentId, send } = useContext(CardContext)
  const { language } = useTranslate()
  const { data: agents = [] } = useAgents()
  const views = agents.find(({ id }) => id === agentId)?.views ?? []
  const view = views.find(({ tools = [] }) => tools.includes(part.tool))
  if (!view || part.output === undefined) return null
  const { tool, input = null, output } = part
  const props: ToolCardProps = { tool, input, output, language, send }
  return (
    <div className="tool-view">
      <ViewModule module={view.module} props={props} />
    </div>
  )
}
