import { isServiceError } from 'dragoman/errors'
import type { AgentServices, RunScope } from 'dragoman/agents'
import { activeSkills, readContext } from '../context.ts'

export const MAX_ACTIVE_SKILLS = 4

/** Stores the skill that a client presets, as `use_skill` does: later messages without a preset continue with it. */
export async function storePresetSkill(
  { userId, threadId: conversation, context }: Pick<RunScope, 'userId' | 'threadId' | 'context'>,
  services: Pick<AgentServices, 'readThreadContext' | 'updateThreadContext'>,
): Promise<void> {
  const { skill } = readContext(context)
  if (!skill) return
  const thread = { userId, agent: 'life', name: conversation }
  const stored = await services.readThreadContext(thread).catch((error: unknown) => {
    // Deleted meanwhile: there is nothing to keep it with.
    if (!isServiceError(error, 'not-found')) throw error
    return undefined
  })
  if (stored === undefined) return
  const { skills = [] } = readContext(stored)
  if (skills.includes(skill)) return
  await services.updateThreadContext(thread, {
    skills: activeSkills({ skill, skills }).slice(0, MAX_ACTIVE_SKILLS),
  })
}
