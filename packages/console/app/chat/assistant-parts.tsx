import { Brain } from 'lucide-react'
import { lazy, Suspense } from 'react'

import type { AssistantMessage, AssistantPart } from '../api/types.ts'
import { useTranslate } from '../i18n/translate.tsx'
import { Markdown } from '../markdown/markdown.tsx'
import { KeptDetails } from '../ui/kept-details.tsx'
import { Sources } from './sources.tsx'
import { ToolCard } from './tool-card.tsx'
import { UserParts } from './user-parts.tsx'

const JsonView = lazy(() => import('../ui/json-view.tsx').then(({ JsonView: view }) => ({ default: view })))

type AssistantPartsProps = { readonly message: AssistantMessage; readonly isQueued: boolean }

/** The parts of an answer, in their order. */
export function AssistantParts({ message, isQueued }: AssistantPartsProps) {
  const { t } = useTranslate()
  const isStreaming = message.status === 'streaming'
  const hasContent = message.parts.some(({ type }) => type !== 'step')
  return (
    <>
      {message.parts.map((part, index) => (
        <Part
          key={keyOf(part, index)}
          id={`${message.id} ${keyOf(part, index)}`}
          part={part}
          messageId={message.id}
          isLive={isStreaming}
        />
      ))}
      <Sources parts={message.parts} />
      {isStreaming && (
        <p className="progress" role="status">
          <span className="pulse" aria-hidden />
          <span className={hasContent ? 'visually-hidden' : 'quiet'}>
            {t(isQueued ? 'outgoing.queued' : activityOf(message))}
          </span>
        </p>
      )}
    </>
  )
}

function activityOf({ parts }: AssistantMessage): 'chat.thinking' | 'chat.writing' | 'chat.usingTool' {
  const last = parts.at(-1)
  if (last?.type === 'tool') return 'chat.usingTool'
  return last?.type === 'text' ? 'chat.writing' : 'chat.thinking'
}

/** Parts are only ever added, so the place of one without a name is its key. */
function keyOf(part: AssistantPart, index: number): string {
  if (part.type === 'tool') return part.callId
  return 'partId' in part ? part.partId : `${part.type} ${index}`
}

type PartProps = {
  readonly id: string
  readonly part: AssistantPart
  readonly messageId: string
  readonly isLive: boolean
}

function Part({ id, part, messageId, isLive }: PartProps) {
  const { t } = useTranslate()
  switch (part.type) {
    case 'step':
      return null
    case 'text':
      return part.text === '' ? null : <Markdown text={part.text} isOpen={part.open && isLive} />
    case 'reasoning':
      return (
        <KeptDetails id={id} className="reasoning">
          <summary>
            <Brain size={15} aria-hidden />
            {part.open && isLive ? t('chat.thinking') : t('message.reasoning')}
          </summary>
          <Markdown text={part.text} isOpen={part.open && isLive} />
        </KeptDetails>
      )
    case 'tool':
      return <ToolCard part={part} messageId={messageId} />
    case 'data':
      return (
        <KeptDetails id={id} className="card">
          <summary>{part.name}</summary>
          <Suspense>
            <JsonView value={part.value} />
          </Suspense>
        </KeptDetails>
      )
    case 'file':
      return part.kind === 'output' ? (
        <UserParts parts={[{ type: 'file', url: part.url, mediaType: part.mediaType }]} />
      ) : null
    case 'custom':
    // The sources of an answer stand together, under it.
    case 'source':
      return null
    case 'user':
      return (
        <div className="bubble joined" dir="auto">
          <UserParts parts={part.input} />
        </div>
      )
  }
}
