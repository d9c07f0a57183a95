import { createProgressCounter } from './progress-counter.ts'
import type { ChatPlan, RunPlan } from './plan.ts'
import { playRun, type Stage } from './play-run.ts'

export type Chatting = {
  /** Aborts when no further message may be sent. */
  readonly closing: AbortSignal
  readonly complain: (sentence: string) => void
}

/** Plays a conversation: each message follows the previous run, or is sent while it is live. */
export async function playChat(stage: Stage, chat: ChatPlan, { closing, complain }: Chatting): Promise<void> {
  const { signal } = stage.network
  const played: Promise<void>[] = []
  for (const [at, plan] of chat.runs.entries()) {
    if (closing.aborted) break
    const next = chat.runs[at + 1]?.meets
    const progress = createProgressCounter()
    const playing = playRun(stage, chat, plan, { progress, metBy: next?.policy })
      .catch((error: unknown) => {
        if (!signal.aborted) complain(`${nameOf(chat, plan)}: ${wordsOf(error)}`)
      })
      .finally(progress.end)
    played.push(playing)
    await (next ? progress.reached(next.after) : playing)
  }
  await Promise.all(played)
}

function nameOf({ thread }: ChatPlan, { story }: RunPlan): string {
  return `story ${story.name} in thread ${thread}`
}

/** An abort error has its reason as cause. */
function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error && error.name === 'AbortError' ? error.cause.message : error.message
}
