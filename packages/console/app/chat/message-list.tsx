import { ArrowDown } from 'lucide-react'
import {
  useCallback,
  useContext,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
  type AnimationEvent,
  type ReactNode,
  type RefObject,
} from 'react'
import { VList, type VListHandle } from 'virtua'

import { useTranslate } from '../i18n/translate.tsx'
import { CardContext } from '../views/agent-card.tsx'
import type { Entry } from './entries.ts'
import { QuestionOpenContext, useFollowEnd } from './follow-end.ts'
import { MessageView } from './message-view.tsx'
import { OutgoingView } from './outgoing-view.tsx'
import { useScrollHandlers } from './use-scroll-handlers.ts'
import type { Target } from './use-target.ts'

/** Nearer to the start than this, earlier messages are loaded. */
const START_DISTANCE_PX = 400

type MessageListProps = {
  readonly threadId: string
  readonly entries: readonly Entry[]
  /** The message that is shown when it is there, and marked for a moment. */
  readonly target: Target | undefined
  readonly isIdle: boolean
  readonly hasEarlier: boolean
  readonly isLoadingEarlier: boolean
  readonly onLoadEarlier: () => void
}

/** The messages of a thread. Only those in sight are in the document. */
export function MessageList(props: MessageListProps) {
  const { threadId, entries, target, isIdle, hasEarlier, isLoadingEarlier, onLoadEarlier } = props
  const { t } = useTranslate()
  const list = useRef<VListHandle>(null)
  const isPrepending = usePrepending(entries)
  const lastMessage = entries.findLast(({ kind }) => kind !== 'outgoing')
  const end = useFollowEnd(list, entries)
  useOwnMessage(entries, end.followAgain)
  const mark = useMark(target, entries, end.hold)
  const frame = useRef<HTMLDivElement>(null)
  useGrowth(frame, end.onGrow)
  const onScroll = (offset: number): void => {
    end.onScroll()
    if (offset < START_DISTANCE_PX && hasEarlier && !isLoadingEarlier) onLoadEarlier()
  }
  return (
    <div
      ref={frame}
      className="message-list"
      role="log"
      aria-label={t('chat.messages')}
      aria-live="off"
      {...useScrollHandlers({ onAct: end.leaveQuestion, onDirection: end.onDirection })}
    >
      <VList
        ref={list}
        shift={isPrepending}
        onScroll={onScroll}
        bufferSize={600}
        className="message-scroll"
        tabIndex={0}
      >
        {entries.map((entry, index) => (
          <div
            key={entry.key}
            className={entry.key === mark.key ? 'message-row found' : 'message-row'}
            data-index={index}
            onAnimationEnd={mark.end}
          >
            <QuestionOpenContext value={end.openQuestion}>
              <CardsOf isLatest={entry === lastMessage}>
                <EntryView entry={entry} threadId={threadId} isIdle={isIdle} />
              </CardsOf>
            </QuestionOpenContext>
          </div>
        ))}
      </VList>
      {!end.isAtEnd && (
        <button type="button" className="button to-end" onClick={end.followAgain}>
          <ArrowDown size={16} aria-hidden />
          {t('chat.toEnd')}
        </button>
      )}
    </div>
  )
}

type CardsOfProps = { readonly isLatest: boolean; readonly children: ReactNode }

/** A form or a choice of an earlier message is over: what it would send belongs to another moment. */
function CardsOf({ isLatest, children }: CardsOfProps) {
  const { agent, send } = useContext(CardContext)
  const value = useMemo(() => ({ agent, send: isLatest ? send : undefined }), [agent, send, isLatest])
  return <CardContext value={value}>{children}</CardContext>
}

type EntryViewProps = { readonly entry: Entry; readonly threadId: string; readonly isIdle: boolean }

function EntryView({ entry, threadId, isIdle }: EntryViewProps) {
  if (entry.kind === 'outgoing') return <OutgoingView outgoing={entry.outgoing} />
  return <MessageView threadId={threadId} message={entry.message} isQueued={entry.isQueued} isIdle={isIdle} />
}

/** Shows the message that is asked for, and marks it until `end` is called. */
function useMark(target: Target | undefined, entries: readonly Entry[], hold: (place: Target) => void) {
  const [marked, setMarked] = useState<Target>()
  const isThere = entries.some(({ key }) => key === target?.key)
  useLayoutEffect(() => {
    if (!target || !isThere) return
    hold(target)
    setMarked(target)
  }, [target, isThere, hold])
  const end = useCallback((event: AnimationEvent) => {
    if (event.animationName === 'found') setMarked(undefined)
  }, [])
  return { key: marked?.key, end }
}

/** Calls back for each message that is sent here: its answer is what the user wants to see. */
function useOwnMessage(entries: readonly Entry[], act: () => void): void {
  const last = entries.at(-1)
  const key = last?.kind === 'outgoing' ? last.key : undefined
  useEffect(() => {
    if (key !== undefined) act()
  }, [key])
}

/** Calls back when the content of the list has another size. */
function useGrowth(frame: RefObject<HTMLDivElement | null>, act: () => void): void {
  useEffect(() => {
    const content = frame.current?.querySelector('.message-scroll > *')
    const observer = new ResizeObserver(act)
    if (content) observer.observe(content)
    return () => observer.disconnect()
  }, [frame, act])
}

/** Whether the last change has added messages before the first one: the list then keeps its place. */
function usePrepending(entries: readonly Entry[]): boolean {
  const previous = useRef<readonly Entry[]>([])
  const [first] = previous.current
  const isPrepending =
    first !== undefined && entries[0]?.key !== first.key && entries.some(({ key }) => key === first.key)
  useEffect(() => {
    previous.current = entries
  }, [entries])
  return isPrepending
}
