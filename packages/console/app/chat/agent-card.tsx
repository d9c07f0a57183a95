import {
  Component,
  createContext,
  lazy,
  Suspense,
  useContext,
  type ComponentType,
  type ReactNode,
} from 'react'

import type { ToolCardProps, WelcomeProps } from '../../src/view.ts'
import { useAgents } from '../api/queries.ts'
import type { Agent, AssistantPart } from '../api/types.ts'
import { useTranslate } from '../i18n/translate.tsx'

type ToolPart = Extract<AssistantPart, { type: 'tool' }>

export type CardContextValue = {
  readonly agent: string | undefined
  readonly send: ToolCardProps['send']
}

/** What the cards of an agent need of their thread. */
export const CardContext = createContext<CardContextValue>({ agent: undefined, send: undefined })

const components = new Map<string, unknown>()

/** The component of a module, loaded once. */
function componentOf<Props extends object>(module: string): ComponentType<Props> {
  const existing = components.get(module) as ComponentType<Props> | undefined
  if (existing) return existing
  const component = lazy(async () => {
    try {
      return (await import(/* @vite-ignore */ module)) as { default: ComponentType<Props> }
    } catch (error) {
      // The next card tries again.
      components.delete(module)
      throw error
    }
  })
  components.set(module, component)
  return component
}

/** The card that the agent has for a call of its tool, if it has one that can be loaded. */
export function AgentCard({ part }: { readonly part: ToolPart }) {
  const { agent: agentId, send } = useContext(CardContext)
  const { language } = useTranslate()
  const { data: agents = [] } = useAgents()
  const views = agents.find(({ id }) => id === agentId)?.views ?? []
  const view = views.find(({ tools }) => tools.includes(part.tool))
  if (!view || part.output === undefined) return null
  const Card = componentOf<ToolCardProps>(view.module)
  const { tool, input = null, output } = part
  return (
    <CardErrors>
      <Suspense>
        <div className="tool-view">
          <Card tool={tool} input={input} output={output} language={language} send={send} />
        </div>
      </Suspense>
    </CardErrors>
  )
}

/** What an agent shows before a conversation, if it shows anything. */
export function AgentWelcome({ agent }: { readonly agent: Agent }) {
  const { language } = useTranslate()
  const view = agent.views.find(({ welcome }) => welcome)
  if (!view) return null
  const Welcome = componentOf<WelcomeProps>(view.module)
  return (
    <CardErrors>
      <Suspense>
        <Welcome language={language} />
      </Suspense>
    </CardErrors>
  )
}

/** A card that fails must not take the conversation with it. */
class CardErrors extends Component<{ readonly children: ReactNode }, { readonly hasFailed: boolean }> {
  override state = { hasFailed: false }

  static getDerivedStateFromError(): { readonly hasFailed: boolean } {
    return { hasFailed: true }
  }

  override render(): ReactNode {
    return this.state.hasFailed ? null : this.props.children
  }
}
