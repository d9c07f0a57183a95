import type { DemoCall, DemoConversation, DemoReply } from 'dragoman/agents'
import { changes, type Deed } from './deed.ts'
import { outcomeOf, stepsOf } from './steps.ts'
import { hasFailed, tell, tellUndone, thoughtOf } from './tell.ts'
import { understand } from './understand.ts'

/**
 * Works a request off, in its order. What only reads is done at once; what changes something waits for all that comes before it, and is left
 * alone where any of that failed. Undefined where the rules do not understand the request, or need a tool that is not there.
 */
export function reply(conversation: DemoConversation): DemoReply | undefined {
  const { request, language, outcomes, answered, tools } = conversation
  const offered = new Set(tools.map(({ name }) => name))
  const all = understand(request)
  const unable = all.findIndex((deed) => stepsOf(deed, outcomes).some(({ tool }) => !offered.has(tool)))
  const deeds = unable < 0 ? all : all.slice(0, unable)
  if (deeds.length === 0) return undefined

  const steps = new Map<string, DemoCall>()
  const begun: Deed[] = []
  const told: string[] = []
  let failed = false
  for (const [at, deed] of deeds.entries()) {
    if (changes(deed) && failed) {
      told.push(tellUndone(deeds.slice(at), language))
      break
    }
    if (changes(deed) && steps.size > 0) break
    const open = stepsOf(deed, outcomes).filter((step) => !outcomeOf(step, outcomes))
    for (const step of open) steps.set(JSON.stringify(step), step)
    if (open.length > 0) begun.push(deed)
    else told.push(tell(deed, outcomes, language))
    if (changes(deed) && open.length > 0) break
    failed ||= open.length === 0 && hasFailed(deed, outcomes)
  }
  if (steps.size === 0 || answered !== '') return { text: told.join('\n\n') }
  return {
    calls: [...steps.values()],
    thought: begun.map((deed) => thoughtOf(deed, language)).join(language === 'zh' ? '' : ' '),
  }
}
