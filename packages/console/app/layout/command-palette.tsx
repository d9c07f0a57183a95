import { Command } from 'cmdk'
import {
  Activity,
  CircleUser,
  Cpu,
  Gauge,
  Inbox,
  LayoutDashboard,
  MessageSquare,
  SquarePen,
} from 'lucide-react'
import { useDeferredValue, useState, type ReactNode } from 'react'
import { useLocation } from 'wouter'

import { useAgents, useIsGuest, useSearch, useThreads } from '../api/queries.ts'
import type { FoundMessage, Thread } from '../api/types.ts'
import { useTranslate } from '../i18n/translate.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { messagePath } from '../chat/use-target.ts'
import { agentPages } from '../views/agent-views.ts'
import './command-palette.css'

const RECENT_COUNT = 6

const PAGES = [
  { path: '/', label: 'nav.newChat', icon: <SquarePen size={16} aria-hidden /> },
  { path: '/console/inbox', label: 'nav.inbox', icon: <Inbox size={16} aria-hidden /> },
] as const

/** Not for guests. */
const ACCOUNT_PAGES = [
  { path: '/console/inspect', label: 'nav.inspector', icon: <Activity size={16} aria-hidden /> },
  { path: '/console/operate', label: 'operate.title', icon: <Gauge size={16} aria-hidden /> },
  { path: '/console/models', label: 'models.title', icon: <Cpu size={16} aria-hidden /> },
  { path: '/console/account', label: 'account.title', icon: <CircleUser size={16} aria-hidden /> },
] as const

/** Finds threads, messages and pages by words. */
export function CommandPalette({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslate()
  const [, navigate] = useLocation()
  const [words, setWords] = useState('')
  const query = useDeferredValue(words.trim())
  const { data: found } = useSearch(query)
  const { data: recent } = useThreads(false)
  const go = (path: string) => (): void => {
    onClose()
    // Another visit, also of the same address.
    navigate(path, { state: Date.now() })
  }
  const pages = usePages().filter(({ title }) => title.toLowerCase().includes(query.toLowerCase()))
  const threads = query === '' ? (recent?.pages[0] ?? []).slice(0, RECENT_COUNT) : (found?.threads ?? [])
  const messages = query === '' ? [] : (found?.messages ?? [])
  return (
    <Dialog isOpen title={t('nav.search')} onClose={onClose}>
      {/* The server searches. */}
      <Command shouldFilter={false} label={t('nav.search')}>
        <Command.Input
          className="field"
          placeholder={t('search.placeholder')}
          value={words}
          onValueChange={setWords}
          autoFocus
        />
        <Command.List className="palette-list">
          <Command.Empty className="quiet palette-empty">{t('search.none')}</Command.Empty>
          {pages.length > 0 && (
            <Command.Group heading={t('search.pages')}>
              {pages.map(({ path, title, icon }) => (
                <Command.Item key={path} value={path} onSelect={go(path)}>
                  {icon}
                  {title}
                </Command.Item>
              ))}
            </Command.Group>
          )}
          {threads.length > 0 && (
            <Command.Group heading={t('threads.title')}>
              {threads.map((thread) => (
                <ThreadItem key={thread.id} thread={thread} onSelect={go(`/console/threads/${thread.id}`)} />
              ))}
            </Command.Group>
          )}
          {messages.length > 0 && (
            <Command.Group heading={t('search.messages')}>
              {messages.map((message) => (
                <MessageItem key={message.messageId} message={message} onSelect={go(messagePath(message))} />
              ))}
            </Command.Group>
          )}
        </Command.List>
      </Command>
    </Dialog>
  )
}

/** The pages of the console and of the agents. */
function usePages() {
  const { t, language } = useTranslate()
  const { data: agents = [] } = useAgents()
  const isGuest = useIsGuest()
  const icon = <LayoutDashboard size={16} aria-hidden />
  return [
    ...[...PAGES, ...(isGuest ? [] : ACCOUNT_PAGES)].map((page) => ({
      path: page.path,
      icon: page.icon,
      title: t(page.label),
    })),
    ...agentPages(agents, language).map(({ path, title }) => ({ path, icon, title })),
  ]
}

function ThreadItem({ thread, onSelect }: { readonly thread: Thread; readonly onSelect: () => void }) {
  const { t } = useTranslate()
  return (
    <Command.Item value={thread.id} onSelect={onSelect}>
      <MessageSquare size={16} aria-hidden />
      <span className="ellipsis">{thread.title ?? t('thread.untitled')}</span>
    </Command.Item>
  )
}

function MessageItem({
  message,
  onSelect,
}: {
  readonly message: FoundMessage
  readonly onSelect: () => void
}) {
  const { t } = useTranslate()
  const { thread, snippet } = message
  return (
    <Command.Item value={message.messageId} onSelect={onSelect}>
      <MessageSquare size={16} aria-hidden />
      <span className="palette-found">
        <span>{marked(snippet)}</span>
        <small className="quiet">{thread.title ?? t('thread.untitled')}</small>
      </span>
    </Command.Item>
  )
}

/** The snippet with its found words marked. */
function marked({ text, marks }: FoundMessage['snippet']): ReactNode[] {
  const pieces: ReactNode[] = []
  let at = 0
  for (const [from, to] of marks) {
    pieces.push(text.slice(at, from), <mark key={from}>{text.slice(from, to)}</mark>)
    at = to
  }
  return [...pieces, text.slice(at)]
}
