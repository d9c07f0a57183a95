import { isServiceError } from 'dragoman/errors'
import type { AgentServices, RunScope } from 'dragoman/agents'
import { activeSkills, readContext } from '../context.ts'

/** Their instructions stand in every later run. */
export const MAX_ACTIVE_SKILLS = 4

/** What a client presets is switched to as by `use_skill`: the conversation goes on with it where its client says nothing more of it. S3-21. */
export async function keepPreset(
  { userId, conversation, context }: Pick<RunScope, 'userId' | 'conversation' | 'context'>,
  machine: Pick<AgentServices, 'contextOf' | 'remember'>,
): Promise<void> {
  const { skill } = readContext(context)
  if (!skill) return
  const named = { userId, agent: 'life', name: conversation }
  const stored = await machine.contextOf(named).catch((error: unknown) => {
    // Deleted meanwhile: there is nothing to keep it with.
    if (!isServiceError(error, 'not-found')) throw error
    return undefined
  })
  if (stored === undefined) return
  const { skills = [] } = readContext(stored)
  if (skills.includes(skill)) return
  await machine.remember(named, { skills: activeSkills({ skill, skills }).slice(0, MAX_ACTIVE_SKILLS) })
}
