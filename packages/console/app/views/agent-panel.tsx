import { PanelRight } from 'lucide-react'
import { lazy, Suspense, useState, useSyncExternalStore } from 'react'

import type { PanelProps } from '../../src/view.ts'
import type { Agent } from '../api/types.ts'
import { useTranslate } from '../i18n/translate.tsx'
import { onNarrowChange, isNarrowNow } from '../layout/narrow.ts'
import { titleIn } from './agent-views.ts'
import { consoleKit } from './console-kit.tsx'
import { ViewModule } from './view-module.tsx'
import './agent-panel.css'

const Dialog = lazy(() => import('../ui/dialog.tsx').then(({ Dialog: dialog }) => ({ default: dialog })))

const STORAGE_KEY = 'dragoman.panel'

export type AgentPanelState = {
  readonly agent: Agent | undefined
  readonly isOpen: boolean
  readonly setOpen: (isOpen: boolean) => void
}

/** Whether the panel next to a thread is open. On a narrow screen it covers the thread, so it starts closed. */
export function useAgentPanel(agent: Agent | undefined): AgentPanelState {
  const [isOpen, setIsOpen] = useState(() => !isNarrowNow() && localStorage.getItem(STORAGE_KEY) === 'open')
  const setOpen = (open: boolean): void => {
    localStorage.setItem(STORAGE_KEY, open ? 'open' : 'closed')
    setIsOpen(open)
  }
  return { agent, isOpen, setOpen }
}

/** Opens and closes the panel of the thread's agent, if it has one. */
export function AgentPanelButton({ agent, isOpen, setOpen }: AgentPanelState) {
  const { language } = useTranslate()
  const view = panelOf(agent)
  if (!view) return null
  return (
    <button type="button" className="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
      <PanelRight size={16} aria-hidden />
      <span className="panel-button-text">{titleIn(view.title, language)}</span>
    </button>
  )
}

type AgentPanelProps = AgentPanelState & Pick<PanelProps, 'threadId' | 'isBusy'>

/** The panel of the thread's agent: next to the thread, or over it on a narrow screen. */
export function AgentPanel({ agent, isOpen, setOpen, threadId, isBusy }: AgentPanelProps) {
  const { t, language } = useTranslate()
  const isNarrow = useSyncExternalStore(onNarrowChange, isNarrowNow)
  const view = panelOf(agent)
  if (!view || !isOpen) return null
  const title = titleIn(view.title, language)
  const props: PanelProps = { language, kit: consoleKit, threadId, isBusy }
  const panel = <ViewModule module={view.module} props={props} failure={<p>{t('view.failed')}</p>} />
  if (!isNarrow)
    return (
      <aside className="panel" aria-label={title}>
        {panel}
      </aside>
    )
  return (
    <Suspense>
      <Dialog isOpen title={title} onClose={() => setOpen(false)}>
        {panel}
      </Dialog>
    </Suspense>
  )
}

function panelOf(agent: Agent | undefined) {
  return agent?.views.find(({ kind }) => kind === 'panel')
}
