import type { LanguageModelV4, LanguageModelV4CallOptions } from '@ai-sdk/provider'

import type { Agent } from '../agent/index.ts'
import type { Models, Speaker } from '../models/index.ts'
import { answerAfter } from './answer.ts'
import type { EngineHost, EngineJob } from './engine.ts'
import { listen, type Listening } from './listen.ts'
import { notes } from './notes.ts'
import { toPrompt } from './prompt.ts'
import { beginStep, type Step } from './step.ts'

/** The steps of one run, whatever drives the model through them. */
export interface Steps {
  readonly model: LanguageModelV4
  /** How the model is to answer, in the words that both the provider's port and the AI SDK have for it. */
  readonly settings: Settings
  /**
   * Waits for the end of the step before, and gives the next one: none where nothing was called and nobody has said anything, the limit is
   * reached or the run has been aborted; but at the limit an agent may have a last word, and what a review finds is put right.
   * @throws what the host threw at a call
   */
  next(): Promise<Step | undefined>
  /** Has a step hear what the model says, to its end. @throws ServiceError where the model fails, and what the host threw */
  hear<Part>(step: Step, heard: Pick<Listening<Part>, 'open' | 'take'>): Promise<void>
}

type Settings = Pick<LanguageModelV4CallOptions, 'temperature' | 'reasoning' | 'maxOutputTokens'>

/** @throws ServiceError where there is no model to be had */
export async function stepsOf(models: Models, job: EngineJob, host: EngineHost): Promise<Steps> {
  const { signal } = host
  const chosen = models.choose(job.agent.model)
  const failure = (error: unknown): Error => chosen.failure(error)
  let speaker: Speaker = { name: chosen.name, provider: chosen.name.split(':')[0] ?? chosen.name }
  const model = await chosen
    .load((by) => (speaker = by))
    .catch((error: unknown) => {
      throw failure(error)
    })
  const answer = answerAfter(job.soFar)
  const { instructions } = job.agent
  const work = { host, answer, instructions, speaker: () => speaker, failure, stopped: aborted(signal) }
  const noted = notes(job, host, answer)
  let step: Step | undefined
  let number = 0
  let limit = job.stepsLeft

  const ended = async (last: Step): Promise<boolean> => {
    await last.calls.settled()
    if (!signal.aborted) await last.closed
    return last.calls.made.length > 0
  }
  const joined = async (): Promise<boolean> => {
    const messages = await host.joined()
    for (const { id: messageId, parts: input } of messages)
      answer.note({ type: 'user.joined', messageId, input })
    return messages.length > 0
  }
  return {
    model,
    settings: settingsOf(job.agent.model),
    async next() {
      const more = step === undefined || (await ended(step))
      if (signal.aborted) return undefined
      // Whoever speaks wants an answer: the limit is one of steps without a word of the user's.
      const isSpokenTo = await joined()
      if (isSpokenTo) limit = number + job.agent.maxSteps
      const note = isSpokenTo ? undefined : await noted.before({ last: step, more, isOver: number >= limit })
      const goesOn = isSpokenTo || (more && number < limit)
      if (signal.aborted || (note === undefined && !goesOn)) return undefined
      number += 1
      const prompt = toPrompt([...job.history, answer.message], speaker.provider, note?.words)
      step = beginStep({ ...work, number, prompt, ...(note && { closing: note.why }) })
      return step
    },
    async hear(heard, parts) {
      await listen({ ...parts, signal, failure })
      if (signal.aborted) return
      if (!heard.complete) throw failure(new Error('The stream broke off.'))
      const endsHere = job.agent.lastWord === undefined && heard.calls.made.length > 0 && number === limit
      heard.close(heard.closing === 'limit' || endsHere)
    },
  }
}

function settingsOf({ temperature, thinking, maxOutputTokens }: Agent['model']): Settings {
  return {
    ...(temperature !== undefined && { temperature }),
    ...(thinking !== undefined && { reasoning: thinking }),
    ...(maxOutputTokens !== undefined && { maxOutputTokens }),
  }
}

function aborted(signal: AbortSignal): Promise<undefined> {
  if (signal.aborted) return Promise.resolve(undefined)
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(undefined), { once: true })
  })
}
