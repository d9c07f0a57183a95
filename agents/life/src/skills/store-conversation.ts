import { isServiceError } from 'dragoman/errors'
import type { AgentServices, RunScope } from 'dragoman/agents'
import { activeSkills, readContext, type LifeContext } from '../context.ts'
import { selectableSkills } from './active-skills.ts'
import type { Library } from './skill.ts'

export const MAX_ACTIVE_SKILLS = 4

/**
 * Stores what later messages of the conversation continue with: its language, and the skill that a client presets, as
 * `use_skill` does.
 */
export async function storeConversation(
  { userId, threadId: conversation, context }: Pick<RunScope, 'userId' | 'threadId' | 'context'>,
  library: Library,
  services: Pick<AgentServices, 'readThreadContext' | 'updateThreadContext'>,
): Promise<void> {
  const thread = { userId, agent: 'life', name: conversation }
  const stored = await services.readThreadContext(thread).catch((error: unknown) => {
    // Deleted meanwhile: there is nothing to keep it with.
    if (!isServiceError(error, 'not-found')) throw error
    return undefined
  })
  if (stored === undefined) return
  const fields = fieldsToStore(readContext(context), readContext(stored), library)
  if (Object.keys(fields).length > 0) await services.updateThreadContext(thread, fields)
}

function fieldsToStore(
  { skill, language }: LifeContext,
  { skills = [], lastLanguage }: LifeContext,
  library: Library,
): { skills?: string[]; lastLanguage?: string } {
  const isNew = skill && !skills.includes(skill)
  const isSelectable = selectableSkills(library).some(({ name }) => name === skill)
  return {
    ...(isNew && isSelectable && { skills: activeSkills({ skill, skills }).slice(0, MAX_ACTIVE_SKILLS) }),
    ...(language && language !== lastLanguage && { lastLanguage: language }),
  }
}
